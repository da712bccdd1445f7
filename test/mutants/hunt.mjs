// @ts-check
// Plays seeds against one mutant until one of them finds it: node test/mutants/hunt.mjs NAME [SEEDS [FILE]]
// `none` is the library as it is, which no seed may find anything in. With a file, the shortest story of it is written there, for `npm run simulate -- --story FILE`.
import { writeFileSync } from 'node:fs'
import { bundle } from '../simulation/bundle.mjs'
import { mutantOf } from './list.mjs'
import { forEsbuild } from './plugin.mjs'

const [name, most = '200', file] = process.argv.slice(2)
/** Small and crowded: a mutant shows where much goes wrong at once. */
const amount = { days: 0.1, perDay: 400 }
/** An endless loop finds it too. In time of the processor, so that a busy machine plays as many seeds. */
const longestCpuMs = 60_000

const isControl = name === 'none'
const bundled = await bundle(isControl ? [] : [forEsbuild(mutantOf(name))])
process.once('exit', () => void bundled.remove())
const simulation = await bundled.load()
const beganAt = process.cpuUsage()
let seed = 0
let rule
while (rule === undefined && seed < Number(most) && (isControl || cpuMs() < longestCpuMs)) {
  seed++
  const plan = simulation.makePlan(seed, amount)
  const { violations } = await simulation.play(plan)
  rule = violations[0]?.rule
  if (rule === undefined || file === undefined) continue
  const story = await simulation.storyOf(plan, violations[0], simulation.play)
  writeFileSync(file, `${JSON.stringify(story, undefined, 2)}\n`)
  console.error(simulation.tell(story))
}
await bundled.remove()
console.log(JSON.stringify({ seed, rule }))

function cpuMs() {
  const { user, system } = process.cpuUsage(beganAt)
  return (user + system) / 1000
}
