import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { privatePem } from '../faults/keys.js'
import { anyToken, found, handMadeGateway, json } from '../faults/servers.js'
import { anySigner, clientOf, create, failure } from '../faults/support.js'

afterEach(() => {
  vi.useRealTimers()
})

function stillSandbox(options: SandboxOptions = {}) {
  // One request for both kinds of payment.
  const payinMethods = ['BANK_TRANSFER']
  return createSandbox({
    privateKey: privatePem,
    payinMethods,
    clock: 'virtual',
    rateLimit: false,
    ...options,
  })
}

const mints = (requests: readonly { readonly path: string }[]) =>
  requests.filter(({ path }) => path.startsWith('/auth-tokens')).length

describe('tokens', () => {
  test('PEER 13: parallel first calls mint one token for each family', async () => {
    await using sandbox = stillSandbox()
    await using client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => create(client, 'payin', { id: `in-${n}` })),
      ...Array.from({ length: 5 }, (_, n) => create(client, 'payout', { id: `out-${n}` })),
      ...Array.from({ length: 5 }, () => client.balances.list()),
    ])
    expect(mints(sandbox.requests)).toBe(3)
    expect(sandbox.requests.length).toBe(18)
  })

  test('PEER 13: parallel calls that all meet a 401 mint one token', async () => {
    await using sandbox = stillSandbox()
    await using client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
    await create(client, 'payout', { id: 'first' })
    await sandbox.revokeTokens()
    sandbox.clearLogs()
    await Promise.all(Array.from({ length: 8 }, (_, n) => create(client, 'payout', { id: `out-${n}` })))
    expect(mints(sandbox.requests)).toBe(1)
    expect(sandbox.payouts.size).toBe(9)
  })

  test('PEER 14: a failed mint is not remembered: the next call mints anew', async () => {
    const good = json(200, { token: anyToken })
    const refused = json(401, {})
    for (const bad of [json(500, {}), refused, json(200, {}), json(200, { token: 7 }), json(204, {})]) {
      await using gateway = await handMadeGateway({
        // A 401 is answered by one more try with other bytes, so it comes twice.
        token: bad === refused ? [bad, bad, good] : [bad, good],
        lookUp: [json(200, found('payout'))],
      })
      // The mint has the client's own retries, so they are none here.
      await using client = clientOf(gateway.url, 'undici', { retries: 0 })
      await failure(client.payouts.retrieve('order-1'))
      expect(await client.payouts.retrieve('order-1')).toEqual(found('payout'))
    }
  })

  test('PEER 14: a signer that fails once does not, either', async () => {
    let tries = 0
    const sign = () => (tries++ === 0 ? Promise.reject(new Error('locked')) : anySigner.sign())
    await using gateway = await handMadeGateway({ lookUp: [json(200, found('payout'))] })
    await using client = clientOf(gateway.url, 'undici', { signer: { sign } })
    expect((await failure(client.payouts.retrieve('order-1'))).code).toBe('signing')
    expect(await client.payouts.retrieve('order-1')).toEqual(found('payout'))
  })

  test('PEER 15: a token of 3600 s is kept for most of an hour, and not for 3.6 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const gateway = fetchGateway(() => Response.json(found('payout')))
    const client = clientOf('https://gateway.example', 'undici', {
      fetch: gateway.fetch,
      tokenValiditySecs: 3600,
    })
    for (let minute = 0; minute < 55; minute++) {
      await client.payouts.retrieve('order-1')
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect(mints(gateway.arrivals)).toBe(1)
    await vi.advanceTimersByTimeAsync(6 * 60_000)
    await client.payouts.retrieve('order-1')
    expect(mints(gateway.arrivals)).toBe(2)
    const asked: unknown = JSON.parse(gateway.arrivals[0]?.body ?? '').validitySecs
    expect(asked).toBeLessThanOrEqual(3600)
    expect(asked).toBeGreaterThanOrEqual(3540)
    await client.close()
  })

  test('PEER 16: the environment never beats an option', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    vi.stubEnv('GATEWAY_BASE_URL', 'http://127.0.0.1:9/elsewhere')
    vi.stubEnv('GATEWAY_MERCHANT_CODE', 'M-ENV')
    vi.stubEnv('GATEWAY_PRIVATE_KEY', 'not a key at all')
    vi.stubEnv('GATEWAY_PRIVATE_KEY_FILE', '/nowhere')
    vi.stubEnv('GATEWAY_PRIVATE_KEY_PASSPHRASE', 'environment')
    vi.stubEnv('GATEWAY_MERCHANT_SECRET', 'secret-of-the-environment')
    const options = {
      baseUrl: gateway.url,
      merchantCode: 'M-OPTION',
      signer: anySigner,
      rateLimit: false as const,
    }
    for (const client of [new GatewayClient(options), GatewayClient.fromEnv(options)]) {
      await client.currencies.list()
      await client.close()
    }
    const tokenRequests = gateway.requests.filter(({ path }) => path === '/auth-tokens')
    expect(tokenRequests.length).toBe(2)
    for (const { body } of tokenRequests) {
      expect(JSON.parse(body)).toMatchObject({ merchantCode: 'M-OPTION' })
      expect(body).not.toContain('environment')
    }
  })

  test.each([1, 2, 30, 60, 90])('PEER 17: a token of %d s serves more than one call', async (secs) => {
    await using sandbox = stillSandbox()
    await using client = new GatewayClient({
      ...sandbox.clientOptions(),
      rateLimit: false,
      tokenValiditySecs: secs,
    })
    for (let n = 0; n < 10; n++) await create(client, 'payout', { id: `out-${n}` })
    expect(mints(sandbox.requests)).toBe(1)
  })

  test.each([
    ['a year behind', -31_536_000_000],
    ['a year ahead', 31_536_000_000],
    ['an hour behind', -3_600_000],
    ['an hour ahead', 3_600_000],
  ])('PEER 18: a clock that is %s leaves fresh tokens fresh', async (_name, ms) => {
    // The sandbox lives in another time; what it mints has expired, or is not valid yet, by this machine's clock.
    await using sandbox = stillSandbox({ startAt: Date.now() + ms, timestampToleranceSecs: 1e9 })
    await using client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
    for (let n = 0; n < 5; n++) await create(client, 'payin', { id: `in-${n}` })
    expect(mints(sandbox.requests)).toBe(1)
  })

  test('PEER 18: a clock that is turned while the client runs leaves its tokens fresh', async () => {
    await using sandbox = stillSandbox()
    await using client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
    await create(client, 'payin', { id: 'before' })
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 86_400_000)
    await create(client, 'payin', { id: 'after' })
    vi.setSystemTime(Date.now() - 2 * 86_400_000)
    await create(client, 'payin', { id: 'before again' })
    expect(mints(sandbox.requests)).toBe(1)
  })

  const warned: unknown[][] = []
  test.each([
    ['ahead', 3_600_000],
    ['ahead', 8_000],
    ['behind', -3_600_000],
    ['behind', -8_000],
  ])(
    'PEER 18: a signature of a clock that is %s by %d ms is refused once, and then goes by the gateway’s',
    async (_, ms) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
      await using sandbox = stillSandbox({ startAt: Date.now() - ms, timestampToleranceSecs: 4 })
      await using client = new GatewayClient({ ...sandbox.clientOptions(), now: Date.now, rateLimit: false })
      await create(client, 'payin')
      // The next token goes by it from the beginning.
      await client.balances.list()
      const statuses = sandbox.requests
        .filter(({ path }) => path.startsWith('/auth-tokens'))
        .map(({ status }) => status)
      expect(statuses).toEqual([401, 200, 200])
      warned.push(...warn.mock.calls)
    },
  )

  test('PEER 18: and that is said once in a process', () => {
    expect(warned).toEqual([
      [
        expect.stringMatching(/^this machine's clock is \d+ s ahead of the gateway's/),
        expect.objectContaining({ code: 'MERCHANT_GATEWAY_CLOCK' }),
      ],
    ])
  })
})
