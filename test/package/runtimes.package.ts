import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import cli from '../../packages/cli/package.json' with { type: 'json' }
import sandbox from '../../packages/sandbox/package.json' with { type: 'json' }
import { tableAfter } from '../readme/markdown.js'
import { root } from '../support/root.js'
import {
  loseAnswers,
  type Probe,
  program,
  serveSandbox,
  takePayin,
  useCommand,
  useTls,
} from './setup/probes.js'
import { project } from './setup/project.js'
import { run } from './setup/run.js'
import { type Runtime, runtimes } from './setup/tools.js'

const installed = inject('installed')
const modules = join(installed, 'node_modules')
const command = join(modules, cli.name, cli.bin['merchant-gateway'])
const sandboxCommand = join(modules, sandbox.name, sandbox.bin['merchant-gateway-sandbox'])
let esm = ''
let cjs = ''
beforeAll(async () => {
  esm = await project('esm', { installed })
  cjs = await project('cjs', { installed })
})

/** What each column of the table claims. */
const columns: readonly [string, (runtime: Runtime) => Promise<Probe>][] = [
  ['`import`', (runtime) => takePayin(program(runtime, esm, 'take-a-payin.js'))],
  ['`require`', (runtime) => takePayin(program(runtime, cjs, 'take-a-payin.js'))],
  [
    'TLS',
    (runtime) => useTls(program(runtime, esm, 'take-a-payin.js'), program(runtime, esm, 'lose-answers.js')),
  ],
  ['`outcome`', (runtime) => loseAnswers(program(runtime, esm, 'lose-answers.js'))],
  ['sandbox', (runtime) => serveSandbox([...runtime.command, sandboxCommand], esm)],
  ['command line', (runtime) => useCommand([...runtime.command, command], esm, cli.version)],
]

describe('the table of runtimes in docs/versions.md', () => {
  const page = readFileSync(join(root, 'docs/versions.md'), 'utf8')
  const rows = tableAfter(page, '## Runtimes')

  test('has a row for each runtime and a column for each claim', () => {
    expect(rows.map(([name]) => name)).toEqual(runtimes.map(({ name }) => name))
    const head = ['runtime', ...columns.map(([name]) => name)]
    expect(page).toContain(`| ${head.join(' | ')} |`)
    for (const row of rows) expect(row).toHaveLength(head.length)
  })

  const claims = rows.flatMap(([name, ...cells]) =>
    columns.map(([column, probe], index) => ({ name, column, probe, claim: cells[index] })),
  )
  test.concurrent.for(claims)(
    'says of $name and $column what is so: $claim',
    async ({ name, probe, claim }) => {
      const runtime = runtimes.find((one) => one.name === name)
      if (runtime === undefined) throw new Error(`No runtime is called ${name}.`)
      const { seen, wanted } = await probe(runtime)
      if (claim === 'yes') expect(seen).toEqual(wanted)
      else expect(seen).not.toEqual(wanted)
    },
  )
})

test('each runtime is the one that its row names', async () => {
  for (const { name, command } of runtimes) {
    const { stdout } = await run([command[0], '--version'], { cwd: installed })
    const [, , release = ''] = /^(Node|Bun|Deno) (\S+)$/.exec(name) ?? []
    expect(stdout, name).toMatch(new RegExp(`^(?:v|deno )?${release.replace('.', '\\.')}\\.\\d`))
  }
})
