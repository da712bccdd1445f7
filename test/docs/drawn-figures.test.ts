import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../support/root.js'

test('the pictures of figures show what was recorded', () => {
  const run = () => execFileSync(process.execPath, ['bench/results/draw.mjs', '--check'], { cwd: root })
  expect(run).not.toThrow()
})
