import { expect, test } from 'vitest'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { statusesOf } from '../../src/doctor/places.js'
import { runHere } from '../here.js'

/** What `doctor --pay` says of a sandbox that ends both payments with these statuses once they were seen. */
async function pay(
  options: SandboxOptions,
  ends: { readonly payin: string; readonly payout: string },
  args: readonly string[] = [],
) {
  const sandbox: Sandbox = createSandbox({
    payAfterMs: false,
    ...options,
    onExchange({ request: { method } }) {
      if (method !== 'GET') return
      for (const one of sandbox.payins.list()) one.setStatus(ends.payin, { processed: true })
      for (const one of sandbox.payouts.list()) one.setStatus(ends.payout, { processed: true })
    },
  })
  await sandbox.listen()
  try {
    const ended = await runHere(['doctor', '--pay', '--yes', '--wait', '5', ...args], environmentOf(sandbox))
    return { ...ended, made: [sandbox.payins.size, sandbox.payouts.size] }
  } finally {
    await sandbox.close()
  }
}

test('a gateway that is as the specification says needs no option', async () => {
  const { code, stdout, made } = await pay({}, { payin: 'SUCCESS', payout: 'SUCCESS' })
  expect(stdout).toContain('This gateway needs no option.')
  expect(stdout).toMatch(/ok +same id +a second create under one id is answered 409/)
  expect([code, made]).toEqual([0, [1, 1]])
})

test('one that differs is told by the options that it needs, ready to paste', async () => {
  const differing: SandboxOptions = {
    timestampUnit: 'milliseconds',
    maxValiditySecs: 300,
    payinStatusIn: 'top',
  }
  const { code, stdout } = await pay(differing, { payin: 'COMPLETED', payout: 'REFUSED' })
  expect(stdout.slice(stdout.indexOf('Options of the client'))).toBe(
    [
      'Options of the client for this gateway:',
      "  timestampUnit: 'milliseconds',",
      '  tokenValiditySecs: 300,',
      "  statuses: { field: 'status', processedAtField: 'processedAt', paid: [ 'COMPLETED' ], final: [ 'REFUSED' ] },",
      'The same in the environment:',
      '  GATEWAY_TIMESTAMP_UNIT=milliseconds',
      '  GATEWAY_TOKEN_VALIDITY_SECS=300',
      '  GATEWAY_STATUSES=\'{"field":"status","processedAtField":"processedAt","paid":["COMPLETED"],"final":["REFUSED"]}\'',
      '',
    ].join('\n'),
  )
  expect(code).toBe(0)
})

test('payments are made only where the environment says that they are tests, and after a yes', async () => {
  const sandbox = createSandbox()
  await sandbox.listen()
  const env = environmentOf(sandbox)
  const live = await runHere(['doctor', '--pay', '--yes'], { ...env, GATEWAY_LIVE: 'true' })
  const unasked = await runHere(['doctor', '--pay'], env)
  expect([live.code, unasked.code]).toEqual([2, 2])
  expect(live.stderr).toContain('set GATEWAY_LIVE=false')
  expect(sandbox.requests).toEqual([])
  await sandbox.close()
})

test('where the money is real, no payout is made', async () => {
  const sandbox = createSandbox()
  await sandbox.listen()
  const change = { process: { isTest: false } }
  sandbox.fault({ route: 'GET /payins/{idPayin}', times: 99, action: { kind: 'mutate', change } })
  const { code, stdout } = await runHere(['doctor', '--pay', '--yes', '--wait', '1'], environmentOf(sandbox))
  expect(stdout).toMatch(/fail +payout .*the gateway has shown a real payment/)
  expect([code, sandbox.payouts.size]).toEqual([1, 0])
  await sandbox.close()
})

test.each([
  [
    'a status that stands elsewhere',
    [{ data: { state: 'NEW' } }, { data: { state: 'PAID', paidAt: 'x' } }],
    'data.state',
    false,
  ],
  [
    'a name that is SUCCESS',
    [{ account: { accountName: 'SUCCESS' }, process: { status: 'NEW' } }],
    'process.status',
    false,
  ],
  [
    'two times that were written at once',
    [{ process: { status: 'NEW', createdAt: '2026-11-21T07:00:00Z', processedAt: '2026-11-21T07:00:00Z' } }],
    'process.status',
    false,
  ],
  ['the end', [{ state: 'NEW' }, { state: 'DONE', finishedAt: '2026-11-21T07:00:00Z' }], 'state', true],
])('finds %s', (_what, bodies, place, isOver) => {
  const { statusField, end } = statusesOf(bodies)
  expect([statusField, end !== undefined]).toEqual([place, isOver])
})
