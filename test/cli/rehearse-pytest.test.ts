import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { cases, clean } from '../../sandbox/src/rehearse/cases.js'
import { resultOfNone } from '../../sandbox/src/rehearse/rehearsal.js'
import { pytestFileOf } from '../../sandbox/src/rehearse/test-files.js'
import { temporaryFolders } from './support.js'

const folders = temporaryFolders()
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0

test.skipIf(!hasPytest)(
  'the file for pytest runs the same again, and has a test for each case',
  { timeout: 120_000 },
  () => {
    const folder = folders()
    const played = [clean, ...cases.slice(0, 2)]
    const args = ['--act', 'POST http://localhost:3000/orders/{n}', '--paid', 'say `$(1)` \\ "x" ’']
    const results = played.map((one) => resultOfNone(one, 'no test looks at it'))
    writeFileSync(join(folder, 'test_rehearsal.py'), pytestFileOf({ args, results }))
    const found = { sentence: 'two payments', advice: ['Broken: a rule'], told: ['+0.1 s customer: orders'] }
    const outcomes = ['right', 'wrong', 'not played']
    const answer = { cases: played.map(({ name }, index) => ({ name, outcome: outcomes[index], ...found })) }
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(answer))
    const npx = join(folder, 'npx')
    writeFileSync(npx, '#!/bin/sh\nprintf "%s\\n" "$@" > arguments\ncat answer.json\n')
    chmodSync(npx, 0o755)
    const { status, stdout } = spawnSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: folder,
      env: { PATH: folder + delimiter + process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    })
    expect(stdout).toContain('1 failed, 2 passed')
    expect(stdout).toMatch(/two payments\s+(?:E\s+)?Broken: a rule\s+(?:E\s+)?\+0\.1 s customer/)
    expect(status).toBe(1)
    const asked = readFileSync(join(folder, 'arguments'), 'utf8').trimEnd().split('\n')
    expect(asked).toEqual(['merchant-gateway-sandbox', 'rehearse', ...args, '--json'])
  },
)
