import { beforeAll, expect, test, vi } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { create } from '../../faults/support.js'
import { privatePem } from '../../support/vectors.js'

let GatewayClient: typeof import('../../../src/index.js').GatewayClient
const warned: unknown[][] = []

beforeAll(async () => {
  // Once in a process: another file of this worker may have met the clock's warning before.
  vi.resetModules()
  ;({ GatewayClient } = await import('../../../src/index.js'))
})

test.each([
  ['ahead', 3_600_000],
  ['ahead', 8_000],
  ['behind', -3_600_000],
  ['behind', -8_000],
])(
  'a signature of a clock that is %s by %d ms is refused once, and then goes by the gateway’s (peer failure 18)',
  async (_, ms) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    await using sandbox = createSandbox({
      privateKey: privatePem,
      payinMethods: ['BANK_TRANSFER'],
      clock: 'virtual',
      rateLimit: false,
      startAt: Date.now() - ms,
      timestampToleranceSecs: 4,
    })
    await using client = new GatewayClient({ ...sandbox.clientOptions(), now: Date.now, rateLimit: false })
    await create(client, 'payin')
    // The next token goes by it from the beginning.
    await client.balances.list()
    const tokens = sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens'))
    expect(tokens.map(({ status }) => status)).toEqual([401, 200, 200])
    warned.push(...warn.mock.calls)
  },
)

test('and that is said once in a process', () => {
  expect(warned).toEqual([
    [
      expect.stringMatching(/^this machine's clock is \d+ s ahead of the gateway's/),
      expect.objectContaining({ code: 'MERCHANT_GATEWAY_CLOCK' }),
    ],
  ])
})
