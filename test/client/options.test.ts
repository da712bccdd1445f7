import { createPrivateKey } from 'node:crypto'
import { inspect } from 'node:util'
import { Agent } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { familyOperations } from '../../src/client/auth/scopes.js'
import { ConfigurationError } from '../../src/client/errors.js'
import type { ClientOptions } from '../../src/client/options.js'
import { readOptions } from '../../src/client/settings/read-options.js'
import { GatewayClient } from '../../src/index.js'
import { caught } from '../support/caught.js'
import { over } from '../support/client-options.js'
import { privatePem } from '../support/vectors.js'

const least: ClientOptions = {
  baseUrl: 'https://gateway.example',
  merchantCode: 'M-0001',
  privateKey: privatePem,
}

/** Options as JavaScript may hand them in. */
function withOption(name: string, value: unknown): ClientOptions {
  return { ...least, [name]: value }
}

// Which defaults there are: docs/options.md, and test/readme/readme.test.ts.
describe('an option that is given is taken', () => {
  const dispatcher = new Agent()
  const limiter = { acquire: () => undefined }
  it.each<readonly [keyof ClientOptions, unknown]>([
    ['tokens', 'per-payment'],
    ['tokenValiditySecs', 60],
    ['tokenField', 'data.token'],
    ['timestampUnit', 'milliseconds'],
    ['customerAccountPath', '/payins/{idPayin}/account'],
    ['timeoutMs', 1],
    ['deadlineMs', 2_147_483_647],
    ['retries', 0],
    ['rateLimit', 5],
    ['rateLimit', false],
    ['rateLimit', limiter],
    ['rateLimit', { requestsPerSecond: 5 }],
    ['rateLimit', { requestsPerSecond: 10, counted: 'evenly-spaced' }],
    ['maxQueued', 1],
    ['maxResponseBytes', 1],
    ['fetch', globalThis.fetch],
    ['dispatcher', dispatcher],
  ])('%s: %o', (name, value) => {
    expect(readOptions(withOption(name, value))).toHaveProperty(name, value)
  })

  it('operations replace those of their family and no others', () => {
    const { operations } = readOptions({ ...least, operations: { payouts: ['POST /payouts/.*'] } })
    expect(operations).toEqual({ ...familyOperations, payouts: ['POST /payouts/.*'] })
  })
})

it.each(['null', '5', '"https://gateway.example"'])('options that are none are refused: %s', async (json) => {
  const error = await caught(() => new GatewayClient(JSON.parse(json)))
  expect(error).toBeInstanceOf(ConfigurationError)
})

describe('baseUrl', () => {
  it.each([
    ['https://gateway.example', 'https://gateway.example', ''],
    ['https://gateway.example/', 'https://gateway.example', ''],
    ['https://gateway.example/api/v2//', 'https://gateway.example', '/api/v2'],
    ['https://GATEWAY.example:443', 'https://gateway.example', ''],
    ['https://gateway.example:8443/x', 'https://gateway.example:8443', '/x'],
    ['http://localhost:3000', 'http://localhost:3000', ''],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', ''],
    ['http://[::1]:3000', 'http://[::1]:3000', ''],
  ])('%s', (baseUrl, origin, basePath) => {
    expect(readOptions({ ...least, baseUrl })).toMatchObject({ origin, basePath })
    expect(readOptions({ ...least, baseUrl: new URL(baseUrl) })).toMatchObject({ origin, basePath })
  })

  it.each([
    'http://127.0.0.1.evil.example',
    'http://127.evil.example',
    'http://localhost.evil.example',
    'http://evil.example/127.0.0.1',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:192.0.2.1]',
    'http://192.0.2.1',
    'http://128.0.0.1',
    'http://gateway.example:443',
  ])('that is plain http off this machine is refused: %s', (baseUrl) => {
    expect(() => new GatewayClient({ ...least, baseUrl })).toThrow(/^baseUrl is plain http/)
  })

  it.each([
    ['https://gateway.example@evil.example', 'user name'],
    ['https://gateway.example:443@evil.example', 'user name'],
    ['https://:secret@gateway.example', 'user name'],
    ['https://gateway.example?@evil.example', 'query'],
    ['https://gateway.example#@evil.example', 'fragment'],
    ['ftp://gateway.example', 'https'],
    ['ws://127.0.0.1', 'https'],
    ['file:///etc/passwd', 'https'],
    ['blob:https://gateway.example/x', 'https'],
    ['javascript:https://gateway.example', 'https'],
    ['//gateway.example', 'absolute URL'],
  ])('that may mean another host is refused, and what is in it is not repeated: %s', (baseUrl, why) => {
    const refused = () => new GatewayClient({ ...least, baseUrl })
    expect(refused).toThrow(why)
    expect(refused).not.toThrow(/secret|evil/)
  })

  it('may be plain http when the option says so', () => {
    const options = { ...least, baseUrl: 'http://gateway.internal', allowInsecureHttp: true }
    expect(readOptions(options).origin).toBe('http://gateway.internal')
  })
})

describe('NODE_TLS_REJECT_UNAUTHORIZED', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  it.each([
    ['0', 'https://gateway.example', 1],
    ['0', 'http://127.0.0.1:4010', 0],
    ['1', 'https://gateway.example', 0],
    [undefined, 'https://gateway.example', 0],
  ])('%s with %s is said %i times, however many clients are made', async (value, baseUrl, times) => {
    vi.resetModules()
    const { readOptions: read } = await import('../../src/client/settings/read-options.js')
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value)
    for (let made = 0; made < 3; made++) read({ ...least, baseUrl })
    expect(warn).toHaveBeenCalledTimes(times)
    if (times > 0) {
      expect(warn.mock.calls[0]?.[1]).toEqual({ type: 'SecurityWarning', code: 'MERCHANT_GATEWAY_TLS' })
      expect(String(warn.mock.calls[0]?.[0])).toMatch(
        /^NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked/,
      )
    }
  })
})

describe('what may be meant, and seldom is, is said once', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['timeoutMs', 30, 'timeoutMs is 30, and that is in milliseconds: if seconds are meant, give 30000.'],
    ['deadlineMs', 120, 'deadlineMs is 120, and that is in milliseconds: if seconds are meant, give 120000.'],
    [
      'rateLimit',
      100,
      'rateLimit is 100 requests a second, and the gateway allows 10: unless the platform has granted you more, leave the option out.',
    ],
  ])('%s: %i', async (name, value, sentence) => {
    vi.resetModules()
    const { readOptions: read } = await import('../../src/client/settings/read-options.js')
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    read(over(least, { [name]: value }))
    read(over(least, { [name]: value }))
    expect(warn.mock.calls.map(([warning]) => warning)).toEqual([sentence])
  })

  it('of a gateway on this machine, any rate is right', async () => {
    vi.resetModules()
    const { readOptions: read } = await import('../../src/client/settings/read-options.js')
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    read({ ...least, baseUrl: 'http://127.0.0.1:4010', rateLimit: 100 })
    expect(warn).not.toHaveBeenCalled()
  })

  it('what a wait has left for its last status request is no time that somebody gave', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const fetch = () => new Promise<Response>(() => undefined)
    const client = new GatewayClient({ ...least, fetch })
    await expect(client.payins.waitFor('order-1', { maxWaitMs: 42 })).rejects.toMatchObject({
      code: 'wait_timeout',
    })
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('exactly one way to authenticate is given', () => {
  const signer = { sign: () => Promise.resolve(new Uint8Array()) }
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['privateKey', { privateKey: undefined }],
    ['signer', { signer }],
    ['merchantSecret', { merchantSecret: 's3cret-of-merchant' }],
    ['merchantSecret', { privateKey: undefined, signer, merchantSecret: 's3cret-of-merchant' }],
    ['dispatcher', { fetch: globalThis.fetch, dispatcher: new Agent() }],
    ['tokenCache', { privateKey: undefined, signer, tokenCache: { get: () => null, set: () => {} } }],
  ])('%s is named', async (option, more) => {
    const error = await caught(() => new GatewayClient(over(least, more)))
    expect(error).toMatchObject({ code: 'configuration', option })
    expect(inspect(error) + JSON.stringify(error)).not.toMatch(/s3cret|PRIVATE KEY/)
  })

  it.each([
    ['a KeyObject', { privateKey: createPrivateKey(privatePem) }],
    ['a signer', { privateKey: undefined, signer }],
  ])('%s', (_what, more) => {
    expect(() => new GatewayClient(over(least, more))).not.toThrow()
  })

  it('the merchant secret warns that the gateway deprecates it, once', async () => {
    vi.resetModules()
    const { readOptions: read } = await import('../../src/client/settings/read-options.js')
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const options = over(least, { privateKey: undefined, merchantSecret: 's3cret-of-merchant' })
    read(options)
    read(options)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(String(warn.mock.calls[0])).toContain('merchantSecret is deprecated')
    expect(inspect(warn.mock.calls)).not.toContain('s3cret')
  })
})
