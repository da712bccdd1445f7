import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver, type CallbackReceiverOptions } from '../../src/callbacks/index.js'
import { operation } from '../../src/client/auth/operations.js'
import { GatewayClient } from '../../src/client/client.js'
import type { ClientOptions } from '../../src/client/options.js'
import { privatePem } from '../support/vectors.js'

const polluted: string[] = []
afterEach(() => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name)
  vi.unstubAllEnvs()
})

/** What a package with a careless merge does to every object of the process. */
function pollute(name: string, value: unknown): void {
  polluted.push(name)
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
}

const elsewhere = 'http://evil.example'
const clientValues: Record<keyof ClientOptions, unknown> = {
  baseUrl: elsewhere,
  merchantCode: 'M-EVIL',
  privateKey: 'not a key',
  privateKeyPassphrase: 'evil',
  signer: { sign: async () => new Uint8Array([6]) },
  merchantSecret: 'evil',
  tokens: 'per-payment',
  tokenValiditySecs: 86_400,
  tokenCache: { get: fail, set: fail },
  tokenField: 'evil',
  timestampUnit: 'milliseconds',
  operations: { payouts: ['POST /.*'] },
  customerAccountPath: '/evil/{idPayin}',
  statuses: { field: 'evil' },
  live: 'evil',
  maxIdLength: 1,
  timeoutMs: 1,
  deadlineMs: 1,
  retries: 'evil',
  rateLimit: { acquire: () => new Promise(() => undefined) },
  maxQueued: 0,
  maxResponseBytes: 1,
  fetch: () => Promise.reject(new Error('evil')),
  dispatcher: { dispatch: () => false },
  allowInsecureHttp: true,
  logger: { debug: fail, info: fail, warn: fail, error: fail },
  slowCallMs: 1,
  now: () => Number.NaN,
}

function fail(): never {
  throw new Error('taken from Object.prototype')
}

/** The bytes that a create sends, its token request included, and what it resolves to. */
async function createOnce(): Promise<unknown> {
  const seen: unknown[] = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { method, headers, body } = init
    const isToken = String(input).includes('/auth-tokens')
    const text = body === null ? null : Buffer.from(Object(body)).toString()
    // No two token requests are equal: they differ in their validity or time, and so in their signature.
    const fixed = isToken ? { 'x-signature': 'of its body' } : {}
    const content = isToken
      ? { ...JSON.parse(text ?? ''), validitySecs: 'about as asked', timestamp: 'about now' }
      : text
    seen.push([String(input), method, { ...headers, ...fixed }, content])
    const money = { amount: 25, currencyCode: 'EUR' }
    const answer = isToken
      ? { token: 'opaque' }
      : { paymentRequested: { money }, paymentMethodResponse: { idPayout: 'w-1' } }
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  }
  const now = () => 1_700_000_000_000
  const client = GatewayClient.fromEnv(
    { fetch, now },
    {
      GATEWAY_BASE_URL: 'https://gateway.example',
      GATEWAY_MERCHANT_CODE: 'M-0001',
      GATEWAY_PRIVATE_KEY: privatePem,
    },
  )
  const payout = await client.payouts.create(
    {
      idPayout: 'w-1',
      paymentRequested: { money: { amount: '25.00', currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
    },
    {},
  )
  await client.close()
  return { seen, payout, printed: JSON.stringify(client) }
}

describe('what is on Object.prototype is nobody’s', () => {
  test.each(Object.entries(clientValues))('option of a client: %s', async (name, value) => {
    const before = await createOnce()
    pollute(name, value)
    const after = await createOnce()
    Reflect.deleteProperty(Object.prototype, name)
    expect(after).toEqual(before)
  })

  const requestValues = {
    signal: AbortSignal.abort(),
    extra: { evil: 1 },
    callbackUrl: elsewhere,
    returnUrl: elsewhere,
    emailAddress: 'evil@evil.example',
    accountName: 'Evil',
    paymentOperatorCode: 'EVIL',
    idPayin: 'evil',
    account: { accountNumber: '666' },
    money: { amount: 666, currencyCode: 'EUR' },
    validitySecs: 86_400,
    idPayment: 'evil',
    action: 'PAYIN_CREATE',
    idempotencyKey: 'evil',
    kind: 'evil',
    response: 'evil',
  }

  test.each(Object.entries(requestValues))('option or field of a call: %s', async (name, value) => {
    const before = await createOnce()
    pollute(name, value)
    const after = await createOnce()
    Reflect.deleteProperty(Object.prototype, name)
    expect(after).toEqual(before)
  })

  test.each([
    'GATEWAY_BASE_URL',
    'GATEWAY_MERCHANT_CODE',
    'GATEWAY_PRIVATE_KEY',
    'GATEWAY_PRIVATE_KEY_FILE',
    'GATEWAY_MERCHANT_SECRET',
    'GATEWAY_CALLBACK_SECRET',
  ])('variable of the environment: %s', (name) => {
    const names = ['BASE_URL', 'MERCHANT_CODE', 'PRIVATE_KEY', 'PRIVATE_KEY_FILE', 'MERCHANT_SECRET']
    for (const one of [...names, 'CALLBACK_SECRET']) vi.stubEnv(`GATEWAY_${one}`, undefined)
    vi.stubEnv('GATEWAY_MERCHANT_CODE', undefined)
    pollute(name, elsewhere)
    expect(() => GatewayClient.fromEnv()).toThrow(/GATEWAY_BASE_URL is not set/)
    const client = { account: 'ACCOUNT', attachCallbacks: fail }
    expect(() => new CallbackReceiver({ client, publicUrl: 'https://shop.example' })).toThrow(
      /secrets are missing/,
    )
  })

  test.each(['Object', 'Array', 'String'] as const)(
    'a toJSON on %s.prototype sends nothing',
    async (name) => {
      const { prototype } = { Object, Array, String }[name]
      const other = vi.fn(() => ({ amount: 666 }))
      Object.defineProperty(prototype, 'toJSON', { value: other, configurable: true })
      try {
        await expect(createOnce()).rejects.toThrow(/toJSON on the prototype of plain data.*nothing was sent/)
      } finally {
        Reflect.deleteProperty(prototype, 'toJSON')
      }
    },
  )

  test('an option that is missing is missing', () => {
    pollute('baseUrl', elsewhere)
    pollute('allowInsecureHttp', true)
    const options: Partial<ClientOptions> = { merchantCode: 'M-0001', privateKey: privatePem }
    expect(() => Reflect.construct(GatewayClient, [options])).toThrow(/baseUrl is missing/)
    const plain = { ...options, baseUrl: elsewhere }
    expect(() => Reflect.construct(GatewayClient, [plain])).toThrow(/plain http/)
  })

  const callbackValues: Record<keyof CallbackReceiverOptions, unknown> = {
    client: { account: 'ACCOUNT', attachCallbacks: fail },
    publicUrl: elsewhere,
    secrets: ['evil-secret-0123456789-0123456789-0123'],
    onPayin: fail,
    onPayout: fail,
    wake: fail,
    onError: fail,
    seen: { get: fail, set: fail },
    lookupDeadlineMs: 0,
    functionTimeoutMs: 0,
    seenTimeoutMs: 0,
    maxPending: 0,
    allowInsecureHttp: true,
    environment: 'evil',
    previousPublicUrls: [elsewhere],
  }

  test.each(Object.entries(callbackValues))('option of a receiver: %s', (name, value) => {
    const secret = 'a-secret-of-at-least-32-bytes-for-tests'
    vi.stubEnv('GATEWAY_CALLBACK_SECRET', secret)
    const port = {
      payin: { lookUp: fail, seen: fail },
      payout: { lookUp: fail, seen: fail },
      isFinal: () => true,
    }
    const client = { account: 'ACCOUNT', attachCallbacks: () => port }
    const urlOf = () =>
      new CallbackReceiver({ client, publicUrl: 'https://shop.example/hooks' }).urlFor({ idPayin: 'a' })
    const before = urlOf()
    pollute(name, value)
    pollute('idPayout', 'evil')
    const after = urlOf()
    expect(() => Reflect.construct(CallbackReceiver, [{ client, publicUrl: elsewhere }])).toThrow(/https/)
    expect(after).toBe(before)
  })

  test('option of a sandbox', () => {
    for (const [name, value] of [
      ['merchantCode', 'EVIL'],
      ['basePath', 5],
      ['clock', 'never'],
      ['rateLimit', 'evil'],
    ] as const)
      pollute(name, value)
    expect(createSandbox().clientOptions()).toMatchObject({ merchantCode: 'SANDBOX-MERCHANT' })
  })

  test('option of a fault', async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    pollute('id', 'another')
    pollute('times', 2)
    pollute('status', 500)
    const fault = sandbox.fault({ route: 'GET /currencies', action: { kind: 'html' } })
    const statuses: number[] = []
    for (let asked = 0; asked < 2; asked += 1) {
      statuses.push((await sandbox.fetch('http://sandbox.local/currencies')).status)
    }
    expect([fault.hits, statuses[0]]).toEqual([1, 502])
    expect(statuses[1]).not.toBe(500)
  })

  test('id of an operation, method of a limiter, of a logger or of a signal', async () => {
    pollute('idPayout', 'evil')
    expect(() => Reflect.apply(operation, undefined, ['GET', '/payouts/{idPayout}', {}])).toThrow(/idPayout/)
    for (const name of ['acquire', 'debug', 'info', 'warn', 'error', 'sign', 'dispatch'])
      pollute(name, () => undefined)
    for (const name of ['rateLimit', 'logger', 'signer', 'dispatcher']) {
      const options = { baseUrl: 'https://gateway.example', merchantCode: 'M', [name]: {} }
      expect(() => Reflect.construct(GatewayClient, [options])).toThrow(new RegExp(`^${name} must be`))
    }
  })
})
