import { visibleLines } from '../../../src/client/input/visible.js'
import { exportedText } from './exported-text.js'
import type { Report } from './report.js'

/**
 * A rehearsal as a file of tests for vitest: it runs the command of the installed package once, and has a test for
 * each case. It holds the act and the start as they were given, because it runs them; where one of them may hold a
 * secret, it reads that from the environment.
 */
export function vitestFileOf({ setup, results }: Report): string {
  const names = results.map(({ name, title }) => [name, title])
  return `// What can go wrong between this application and the payment gateway: one payment, whatever happens.
// Made by "merchant-gateway-sandbox rehearse --vitest". It starts the application itself, and needs nothing else.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const args = ${argumentsOf(setup.args)}
const cases = ${literal(names)}

${fromEnvironment(setup.args)}const folder = dirname(createRequire(import.meta.url).resolve('merchant-gateway/package.json'))
const command = join(folder, 'dist/cli/index.js')
let results = []

beforeAll(async () => {
  const printed = await new Promise((resolve) => {
    execFile(process.execPath, [command, 'rehearse', ...args, '--json'], { maxBuffer: 2 ** 26 }, (_error, stdout) => {
      resolve(stdout)
    })
  })
  const report = JSON.parse(printed)
  if (report.error) throw new Error(report.error.message)
  results = report.cases
}, ${60_000 * Math.max(2, results.length)})

test.each(cases)('%s: %s', (name) => {
  const { outcome, sentence, history } = results.find((one) => one.name === name)
  const lines = history.map(({ atMs, who, text }) => \`\${(atMs / 1000).toFixed(1)} s  \${who}: \${text}\`)
  expect(outcome, [sentence, ...lines].join('\\n')).not.toBe('failed')
})
`
}

/** The arguments as JavaScript; what may hold a secret is not among them. */
function argumentsOf(args: readonly string[]): string {
  const lines = args.map((text, index) => {
    const variable = variableFor(text, args[index - 1])
    return variable === undefined ? literal(text) : `fromEnvironment('${variable}')`
  })
  return `[\n${lines.map((line) => `  ${line},\n`).join('')}]`
}

/** What an argument is called that is left out: `REHEARSAL_ACT`. */
function variableFor(text: string, option = '--argument'): string | undefined {
  if (exportedText(text) === text) return undefined
  return `REHEARSAL_${option.replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
}

function fromEnvironment(args: readonly string[]): string {
  if (args.every((text, index) => variableFor(text, args[index - 1]) === undefined)) return ''
  return `/** What may hold a secret is not in this file. */
function fromEnvironment(name) {
  const value = process.env[name]
  if (value) return value
  throw new Error(\`Set \${name} to what was rehearsed: it may hold a secret, so this file leaves it out.\`)
}

`
}

/** JSON is JavaScript. */
function literal(value: unknown): string {
  return visibleLines(JSON.stringify(value, null, 2))
}
