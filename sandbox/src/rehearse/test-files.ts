import { visibleLines } from '../../../src/client/input/visible.js'
import { showsSecret } from './act-text.js'
import { exportedText } from './exported-text.js'
import type { Report } from './report.js'

/**
 * A rehearsal as a file of tests for vitest: it runs the command of the installed package once, and has a test for
 * each case. It holds no command, body or query, which may hold a secret: it reads those from the environment.
 */
export function vitestFileOf({ args, results }: Report): string {
  return `// What can go wrong between this application and the payment gateway: one payment, whatever happens.
// Made by "merchant-gateway-sandbox rehearse --vitest". It starts the application itself, and needs nothing else.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

${isWhole(args) ? '' : vitestReader}const args = ${listOf(args)}
const cases = ${casesOf(results)}

const folder = dirname(createRequire(import.meta.url).resolve('merchant-gateway-sandbox/package.json'))
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
  const { outcome, sentence, advice, told } = results.find((one) => one.name === name)
  expect(['wrong', 'not yet'], [sentence, ...advice, ...told].join('\\n')).not.toContain(outcome)
})
`
}

/** The same for pytest, with Python's standard library: `npx` finds the package. */
export function pytestFileOf({ args, results }: Report): string {
  return `"""What can go wrong between this application and the payment gateway: one payment, whatever happens.

Made by "merchant-gateway-sandbox rehearse --pytest". It starts the application itself, and needs Node and that package.
"""

import json
import os
import subprocess

import pytest


${isWhole(args) ? '' : pytestReader}ARGS = ${listOf(args)}
CASES = ${casesOf(results)}


@pytest.fixture(scope="module")
def results():
    command = ["npx", "merchant-gateway-sandbox", "rehearse", *ARGS, "--json"]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    report = json.loads(printed)
    if "error" in report:
        pytest.fail(report["error"]["message"])
    return {case["name"]: case for case in report["cases"]}


@pytest.mark.parametrize("name, title", CASES)
def test_rehearsal(results, name, title):
    case = results[name]
    found = [case["sentence"], *case["advice"], *case["told"]]
    assert case["outcome"] not in ("wrong", "not yet"), "\\n".join(found)
`
}

const vitestReader = `/** What may hold a secret is not in this file: a command, a body, a query. */
function fromEnvironment(name) {
  const value = process.env[name]
  if (value) return value
  throw new Error(\`Set \${name} to what was rehearsed: it may hold a secret, so this file leaves it out.\`)
}

`

const pytestReader = `def fromEnvironment(name):
    """What may hold a secret is not in this file: a command, a body, a query."""
    value = os.environ.get(name)
    if value:
        return value
    raise KeyError(f"Set {name} to what was rehearsed: it may hold a secret, so this file leaves it out.")


`

/** Options whose values are acts and commands, written as somebody would type them. */
const acts: ReadonlySet<string> = new Set(['--act', '--before', '--start', '--status'])

/** What an argument is called that is left out, such as `REHEARSAL_ACT`; undefined for one that is shown. */
function variableFor(text: string, option = '--argument'): string | undefined {
  const isShown = acts.has(option) ? exportedText(text) === text : !showsSecret(text)
  if (isShown) return undefined
  return `REHEARSAL_${option.replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
}

function isWhole(args: readonly string[]): boolean {
  return args.every((text, index) => variableFor(text, args[index - 1]) === undefined)
}

/** The arguments as JavaScript or Python; what may hold a secret is not among them. */
function listOf(args: readonly string[]): string {
  const lines = args.map((text, index) => {
    const variable = variableFor(text, args[index - 1])
    return variable === undefined ? literal(text) : `fromEnvironment("${variable}")`
  })
  return `[\n${lines.map((line) => `  ${line},\n`).join('')}]`
}

function casesOf(results: Report['results']): string {
  return literal(results.map(({ name, title }) => [name, title]))
}

/** Texts and lists of them are written alike in JSON, JavaScript and Python. */
function literal(value: unknown): string {
  return visibleLines(JSON.stringify(value, null, 2))
}
