// @ts-check
// Plays the client, the receiver, the jobs and the gateway on one simulated clock and network:
//   node test/simulation/run.mjs --seed 7 --days 30      one seed
//   node test/simulation/run.mjs --seeds 100             a hundred of them, from --seed on
//   node test/simulation/run.mjs --story FILE            a story that was kept, or several
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '1' },
    'per-day': { type: 'string', default: '100' },
    story: { type: 'string', multiple: true, default: [] },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const first = numberOf('seed')
const count = numberOf('seeds')
const amount = { days: numberOf('days'), perDay: numberOf('per-day') }

const bundled = await bundle()
const simulation = await bundled.load()
process.once('exit', () => void bundled.remove())
// What is loaded once for a process is loaded by now, so that the first seed is as all others.
await simulation.play(simulation.makePlan(0, { days: 0.001, perDay: 1000 }))

const beganAt = simulation.realNow()
const cpuBefore = process.cpuUsage()
const total = { seeds: 0, payments: 0, requests: 0, events: 0, simulatedMs: 0 }
let failed = 0
if (values.story.length === 0) {
  for (let seed = first; seed < first + count; seed++) await playSeed(seed)
}
for (const story of values.story) {
  await playPlan(
    JSON.parse(readFileSync(story, 'utf8')).plan,
    `node test/simulation/run.mjs --story ${story}`,
  )
}
report()
await bundled.remove()
process.exitCode = failed > 0 ? 1 : 0

/** @param {number} seed */
async function playSeed(seed) {
  const repeat = `node test/simulation/run.mjs --seed ${seed} --days ${amount.days} --per-day ${amount.perDay}`
  await playPlan(simulation.makePlan(seed, amount), repeat)
}

/**
 * @param {any} plan
 * @param {string} repeat the command that plays it again
 */
async function playPlan(plan, repeat) {
  const played = await simulation.play(plan, values.trace)
  total.seeds++
  for (const name of /** @type {const} */ (['payments', 'requests', 'events', 'simulatedMs']))
    total[name] += played[name]
  if (values.trace) console.log(played.lines.join('\n'))
  if (values.json) console.log(JSON.stringify({ seed: plan.seed, ...played, lines: undefined }))
  const [violation] = played.violations
  if (violation === undefined) return
  failed++
  console.error(
    `Seed ${plan.seed} broke the rule "${violation.rule}": ${violation.says}\nTo play it again: ${repeat}`,
  )
  if (values.story.length > 0) return
  const story = await simulation.storyOf(plan, violation, simulation.play)
  const file = join(import.meta.dirname, 'stories', `seed-${plan.seed}.json`)
  mkdirSync(join(import.meta.dirname, 'stories'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(story, undefined, 2)}\n`)
  console.error(simulation.tell(story))
  console.error(`Kept, and played by the tests from now on: ${relative(process.cwd(), file)}`)
}

function report() {
  const seconds = (simulation.realNow() - beganAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpuSeconds = (user + system) / 1e6
  const days = total.simulatedMs / 86_400_000
  const rate = Math.round(total.payments / cpuSeconds)
  console.log(
    `${total.seeds} seed(s), ${failed} failed: ${total.payments} payments and ${total.requests} requests in ${days.toFixed(1)} simulated days (${(days / 365).toFixed(2)} years), in ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU: ${rate} payments a CPU second.`,
  )
}

/** @param {'seed' | 'seeds' | 'days' | 'per-day'} name */
function numberOf(name) {
  const number = Number(values[name])
  if (!(number > 0)) throw new Error(`--${name} takes a number above 0.`)
  return number
}
