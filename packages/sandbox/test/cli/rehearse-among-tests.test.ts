import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../../test/support/root.js'

const guide = readFileSync(join(root, 'docs/rehearsing.md'), 'utf8')
const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.'] as const
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0

test.for([
  ['javascript', 'rehearsal.test.mjs', vitest, /1 failed.*2 passed/],
  [
    'python',
    'test_rehearsal.py',
    ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    /1 failed, 2 passed/,
  ],
] as const)(
  'the guide makes every case a test: %s',
  { timeout: 120_000 },
  ([language, file, [program, ...args], counts], { skip }) => {
    if (language === 'python' && !hasPytest) skip('pytest is not installed')
    mkdirSync(join(root, 'coverage'), { recursive: true })
    // Below the root, where vitest is found.
    const folder = mkdtempSync(join(root, 'coverage/rehearse-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide) ?? []
    writeFileSync(join(folder, file), code)
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
    const found = { title: 'It is played.', sentence: 'two payments', advice: ['Broken: a rule'], lines: [] }
    const outcomes = ['right', 'wrong', 'not played']
    const cases = outcomes.map((outcome) => ({ name: `case-${outcome}`, outcome, ...found }))
    writeFileSync(join(folder, 'answer.json'), JSON.stringify({ ok: false, kind: 'payin', cases }))
    const npx = join(folder, 'npx')
    writeFileSync(npx, '#!/bin/sh\nprintf "%s " "$@" > arguments\ncat answer.json\n')
    chmodSync(npx, 0o755)
    const { stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      env: { PATH: folder + delimiter + process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' },
      encoding: 'utf8',
    })
    expect(stdout + stderr).toMatch(counts)
    expect(stdout + stderr).toContain('Broken: a rule')
    expect(readFileSync(join(folder, 'arguments'), 'utf8').trim()).toBe(
      'merchant-gateway-sandbox rehearse --json',
    )
  },
)
