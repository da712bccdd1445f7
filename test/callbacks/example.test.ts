import { expect, test } from 'vitest'
import { createSandbox } from '../../sandbox/src/index.js'
import { runNode, secrets } from '../examples/support.js'
import { environmentOf } from '../support/merchant-environment.js'

const program = ['examples/receive-callbacks.mjs']

function expectOutput({ code, stdout, stderr }: Awaited<ReturnType<typeof runNode>>): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toContain('Callback: the payin is SUCCESS.')
  expect(lines).toContain('Waited: the payin is SUCCESS.')
  expect(lines.slice(-2)).toEqual([
    'A forged callback is answered 404.',
    'Callbacks: some succeeded, 0 failed, 1 refused.',
  ])
  for (const secret of secrets) expect(stdout).not.toMatch(secret)
}

test('the example receives callbacks of its own sandbox', { timeout: 30_000 }, async () => {
  expectOutput(await runNode(program))
})

test('the example receives callbacks of the gateway in the environment', { timeout: 30_000 }, async () => {
  await using sandbox = createSandbox({ settleAfterMs: 100 })
  await sandbox.listen()
  expectOutput(await runNode(program, { env: environmentOf(sandbox) }))
})
