// @ts-check
// Makes mistakes in the files that decide about money, one after another, and tells which of them no test notices:
// node test/mutants/run.mjs [FILE ...]. It installs Stryker into this folder at its first run, and takes minutes.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What decides and does nothing else, with a table of tests beside each. */
const decides = [
  'src/client/http/retry-policy.ts',
  'src/client/http/outcome.ts',
  'src/client/payments/compare.ts',
  'src/client/http/limit/pacing.ts',
  'src/jobs/decide.ts',
  'src/callbacks/decisions.ts',
]

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' })
const wanted = process.argv.slice(2)
const files = wanted.length > 0 ? wanted : decides
execFileSync(
  process.execPath,
  [
    `${here}node_modules/@stryker-mutator/core/bin/stryker.js`,
    'run',
    `${here}stryker.config.json`,
    '--mutate',
    files.join(','),
  ],
  { cwd: root, stdio: 'inherit' },
)
