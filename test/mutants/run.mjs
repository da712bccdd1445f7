// @ts-check
// Makes one mistake after another in the library, and tells what finds it: npm run mutants [-- NAME …]
// Their rows in the table of test/mutants/README.md are written anew.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutantOf, mutants } from './list.mjs'
import { mutated } from './plugin.mjs'

const here = import.meta.dirname
const root = join(here, '../..')
const names = process.argv.slice(2)
const hunted = names.length === 0 ? mutants : names.map(mutantOf)
// One that fits nowhere would stop the bundler, and pass for found.
for (const mutant of hunted) mutated(mutant)
/** @type {Map<string, string>} */
const rows = new Map()
let escaped = 0
// What the seeds find in the library as it is would be found in every mutant.
const control = bySimulation({ name: 'none' })
if (control !== undefined) throw new Error(`Without a mistake, the ${control}`)
for (const mutant of hunted) {
  const finder = bySimulation(mutant) ?? byTests(mutant)
  if (finder === undefined) escaped++
  const row = [`\`${mutant.name}\``, mutant.says, finder ?? '**nothing**']
  rows.set(mutant.name, `| ${row.join(' | ')} |`)
  console.log(row.join(' - '))
  writeTable()
}
console.log(`${hunted.length} mutants, ${escaped} escaped.`)
process.exitCode = escaped > 0 ? 1 : 0

/** @param {Pick<import('./mutant.mjs').Mutant, 'name'>} mutant */
function bySimulation({ name }) {
  // Limited in time of the processor: on a busy machine the clock would find what is only slow.
  const hunt = ['-c', 'ulimit -t 600; exec "$0" "$@"', process.execPath, join(here, 'hunt.mjs'), name]
  const { status, stdout, stderr } = spawnSync('sh', hunt, { encoding: 'utf8' })
  // One that makes the simulation hang or die is found too.
  if (status === null) return 'simulation: it never ends'
  if (status !== 0) return `simulation: ${(/^\w*Error.*$/m.exec(stderr) ?? ['it ends'])[0].slice(0, 80)}`
  const { seed, rule } = JSON.parse(stdout)
  return rule === undefined ? undefined : `simulation, seed ${seed}: ${rule}`
}

/** @param {import('./mutant.mjs').Mutant} mutant */
function byTests({ name, tests = [] }) {
  for (const test of tests) {
    // Nor does a test find anything that fails without the mistake, or is not there.
    if (testFails('none', test)) throw new Error(`Without a mistake, ${test} fails.`)
    if (testFails(name, test)) return test
  }
  return undefined
}

/** @param {string} name @param {string} test */
function testFails(name, test) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', join(here, 'mutated.config.ts'), test],
    { cwd: root, env: { ...process.env, MUTANT: name }, timeout: 1_200_000 },
  )
  return status !== 0
}

function writeTable() {
  const file = join(here, 'README.md')
  const [begin, end] = ['<!-- mutants: begin -->', '<!-- mutants: end -->']
  const text = readFileSync(file, 'utf8')
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  const after = text.slice(text.indexOf(end))
  const table = text.slice(before.length, text.length - after.length)
  // Rows of mutants that were not hunted this time stay as they are.
  const kept = new Map([...table.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([row, name = '']) => [name, row]))
  const all = mutants.flatMap(({ name }) => rows.get(name) ?? kept.get(name) ?? [])
  const head = ['| mutant | what is wrong in it | found by |', '|---|---|---|']
  writeFileSync(file, `${before}\n${[...head, ...all].join('\n')}\n${after}`)
}
