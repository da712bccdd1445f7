import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { optionsFromEnv } from '../../src/client/env.js'
import { GatewayClient, type GatewayEnvironment } from '../../src/index.js'
import { caught } from '../support/caught.js'
import { passphrase, privatePem, vector } from '../support/vectors.js'

const env: GatewayEnvironment = {
  GATEWAY_BASE_URL: 'https://env.example',
  GATEWAY_MERCHANT_CODE: 'M-ENV',
  GATEWAY_PRIVATE_KEY: privatePem.replaceAll('\n', '\\n'),
}

let folder = ''
let keyFile = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-env-'))
  keyFile = join(folder, 'key.pem')
  writeFileSync(keyFile, privatePem)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the environment gives what the caller does not', () => {
  it('base address, merchant code and key', () => {
    expect(optionsFromEnv({}, env)).toEqual({
      baseUrl: 'https://env.example',
      merchantCode: 'M-ENV',
      privateKey: env.GATEWAY_PRIVATE_KEY,
    })
    expect(inspect(GatewayClient.fromEnv({}, env))).toContain('https://env.example')
  })

  it('a key from a file', () => {
    const options = optionsFromEnv({}, { ...env, GATEWAY_PRIVATE_KEY: '', GATEWAY_PRIVATE_KEY_FILE: keyFile })
    expect(String(options.privateKey)).toBe(privatePem)
  })

  it('an encrypted key with its passphrase', () => {
    const encrypted = {
      ...env,
      GATEWAY_PRIVATE_KEY: vector('rsa2048.encrypted.pem'),
      GATEWAY_PRIVATE_KEY_PASSPHRASE: passphrase,
    }
    expect(() => GatewayClient.fromEnv({}, encrypted)).not.toThrow()
  })

  it('every other option that is plain data, as a text or as JSON', () => {
    const found = {
      tokens: 'per-payment',
      tokenValiditySecs: 300,
      tokenField: 'data.token',
      timestampUnit: 'milliseconds',
      operations: { payouts: ['POST /payouts/.*'] },
      customerAccountPath: '/payins/{idPayin}/account',
      statuses: { paid: ['COMPLETED'] },
      live: false,
      maxIdLength: 36,
      timeoutMs: 5000,
      deadlineMs: 20_000,
      retries: 0,
      rateLimit: { requestsPerSecond: 5, counted: 'evenly-spaced' },
      maxQueued: 5,
      maxResponseBytes: 2048,
      allowInsecureHttp: true,
      slowCallMs: 100,
    }
    const written = (value: unknown) =>
      typeof value === 'string' ? ` ${value}\n` : JSON.stringify(value, null, 2)
    const variables = Object.entries(found).map(([name, value]) => [
      `GATEWAY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
      written(value),
    ])
    const given = { ...env, ...Object.fromEntries(variables) }
    expect(optionsFromEnv({}, given)).toMatchObject(found)
    const own = { retries: 3, rateLimit: false } as const
    expect(optionsFromEnv(own, given)).toMatchObject({ ...found, ...own })
    expect(() => GatewayClient.fromEnv({}, given)).not.toThrow()
  })

  it('the merchant secret where there is no key, and only there', () => {
    expect(optionsFromEnv({}, { ...env, GATEWAY_MERCHANT_SECRET: 's' })).not.toHaveProperty('merchantSecret')
    const options = optionsFromEnv(
      {},
      { ...env, GATEWAY_PRIVATE_KEY: undefined, GATEWAY_MERCHANT_SECRET: 's' },
    )
    expect(options).toEqual({ baseUrl: 'https://env.example', merchantCode: 'M-ENV', merchantSecret: 's' })
  })

  it('from process.env by default', () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    expect(JSON.stringify(GatewayClient.fromEnv())).toBe('{"baseUrl":"https://env.example"}')
  })
})

describe('an option is never overridden by the environment (peer failure 16)', () => {
  const full = {
    ...env,
    GATEWAY_PRIVATE_KEY_PASSPHRASE: 'env-phrase',
    GATEWAY_MERCHANT_SECRET: 'env-secret',
    GATEWAY_LIVE: 'true',
    GATEWAY_TIMESTAMP_UNIT: 'milliseconds',
  }
  const signer = { sign: () => Promise.resolve(new Uint8Array()) }

  it.each([
    ['baseUrl', { baseUrl: 'https://own.example' }],
    ['merchantCode', { merchantCode: 'M-OWN' }],
    ['privateKey', { privateKey: vector('rsa2048.pkcs1.pem') }],
    ['privateKeyPassphrase', { privateKeyPassphrase: 'own' }],
    ['signer', { signer }],
    ['merchantSecret', { merchantSecret: 'own' }],
    ['retries', { retries: 0 }],
    ['live', { live: false }],
    ['timestampUnit', { timestampUnit: 'seconds' as const }],
  ])('%s', (name, options) => {
    expect(optionsFromEnv(options, full)).toMatchObject(options)
    expect(Object.keys(options)).toEqual([name])
  })

  it.each([
    ['a signer', { signer }],
    ['a secret', { merchantSecret: 'own' }],
    ['a key', { privateKey: privatePem }],
  ])('%s of the caller’s own stands alone', (_what, options) => {
    const others = { baseUrl: 'https://env.example', merchantCode: 'M-ENV' }
    const data = { live: true, timestampUnit: 'milliseconds' }
    expect(optionsFromEnv(options, full)).toEqual({ ...options, ...others, ...data })
  })

  it('a key of the caller’s own needs no file that the environment names', () => {
    const broken = { ...env, GATEWAY_PRIVATE_KEY: undefined, GATEWAY_PRIVATE_KEY_FILE: '/no/such/file' }
    expect(() => optionsFromEnv({ privateKey: privatePem }, broken)).not.toThrow()
  })

  it('the constructor reads no environment at all', async () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const options = { baseUrl: 'https://own.example', merchantCode: 'M-OWN' }
    // @ts-expect-error no credential at all
    expect(await caught(() => new GatewayClient(options))).toMatchObject({ option: 'privateKey' })
  })
})

describe('what is missing is named by its variable', () => {
  it.each([
    ['GATEWAY_BASE_URL', 'baseUrl', {}],
    ['GATEWAY_MERCHANT_CODE', 'merchantCode', { GATEWAY_BASE_URL: 'https://env.example' }],
    [
      'GATEWAY_PRIVATE_KEY (or GATEWAY_PRIVATE_KEY_FILE)',
      'privateKey',
      { ...env, GATEWAY_PRIVATE_KEY: undefined },
    ],
    ['GATEWAY_BASE_URL', 'baseUrl', { ...env, GATEWAY_BASE_URL: '' }],
    ['GATEWAY_MERCHANT_CODE', 'merchantCode', { ...env, GATEWAY_MERCHANT_CODE: '  ' }],
  ])('%s', async (variable, option, incomplete) => {
    const error = await caught(() => GatewayClient.fromEnv({}, incomplete))
    expect(error).toMatchObject({ code: 'configuration', option })
    const hint =
      option === 'baseUrl'
        ? '; without a gateway, "npx merchant-gateway-sandbox" starts one on this machine and prints what to set'
        : ''
    expect(error.message).toBe(
      `${variable} is not set in the environment, and no option ${option} was given${hint}.`,
    )
  })

  it('two keys are one too many', async () => {
    const error = await caught(() => GatewayClient.fromEnv({}, { ...env, GATEWAY_PRIVATE_KEY_FILE: keyFile }))
    expect(error.message).toBe(
      'GATEWAY_PRIVATE_KEY and GATEWAY_PRIVATE_KEY_FILE are both set; unset one, since only one key can sign.',
    )
  })

  it('a file that can not be read is named by its variable, with the cause', async () => {
    const missing = { ...env, GATEWAY_PRIVATE_KEY: '', GATEWAY_PRIVATE_KEY_FILE: join(folder, 'none.pem') }
    const error = await caught(() => GatewayClient.fromEnv({}, missing))
    expect(error).toMatchObject({ option: 'privateKey', cause: { code: 'ENOENT' } })
    expect(error.message).toMatch(
      /^the file that GATEWAY_PRIVATE_KEY_FILE names could not be read; .* working directory .*\.$/,
    )
  })

  it.each([
    ['GATEWAY_TIMESTAMP_UNIT', 'ms', 'must be "seconds" or "milliseconds".'],
    ['GATEWAY_LIVE', 'yes', 'must be true or false.'],
    ['GATEWAY_STATUSES', 'COMPLETED', 'must be an object such as {"paid":["COMPLETED"],"final":["FAILED"]}.'],
    ['GATEWAY_STATUSES', '{"field":5}', '.field must be a place such as "state" or "process.status".'],
    ['GATEWAY_TIMEOUT_MS', '10s', 'must be a number of milliseconds from 1 to 2147483647.'],
    ['GATEWAY_RATE_LIMIT', '{"requestsPerSecond":10,"counted":"monthly"}', 'must be a number of requests a'],
    ['GATEWAY_ALLOW_INSECURE_HTTP', 'yes', 'must be true or false.'],
    ['GATEWAY_RETRIES', 'null', 'must be a whole number, 0 or more.'],
  ])('%s of %s is refused in the words of the option', (name, value, words) => {
    expect(() => optionsFromEnv({}, { ...env, [name]: value })).toThrow(
      words.startsWith('.') ? `${name}${words}` : `${name} ${words}`,
    )
  })

  it.each([
    ['as it is', privatePem],
    ['on one line', privatePem.replaceAll('\n', '\\n')],
    ['without its first line', privatePem.split('\n').slice(1).join('')],
  ])('a key in place of its path is in no part of the error: %s', async (_how, pem) => {
    const swapped = { ...env, GATEWAY_PRIVATE_KEY: '', GATEWAY_PRIVATE_KEY_FILE: pem }
    const error = await caught(() => GatewayClient.fromEnv({}, swapped))
    expect(error).toMatchObject({ code: 'configuration', option: 'privateKey' })
    expect(error.message).toBe(
      'GATEWAY_PRIVATE_KEY_FILE holds the key itself and not a path; use GATEWAY_PRIVATE_KEY.',
    )
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
    for (const line of privatePem.split('\n').slice(1, -2)) expect(shown).not.toContain(line)
  })

  it.each([
    ['GATEWAY_PRIVATE_KEY_FILE', 'canary-secret'],
    ['GATEWAY_PRIVATE_KEY_FILE', '/canary-secret/x'],
    ['GATEWAY_PRIVATE_KEY_FILE', 'canary-secret\u0000'],
    ['GATEWAY_PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----\\ncanary'],
    ['GATEWAY_MERCHANT_CODE', `canary ${privatePem}`],
  ])('nor is what stands by mistake in %s: %s', async (name, text) => {
    const swapped = { ...env, ...(name.endsWith('_FILE') ? { GATEWAY_PRIVATE_KEY: '' } : {}), [name]: text }
    const error = await caught(() => GatewayClient.fromEnv({}, swapped))
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
    expect(shown).not.toMatch(/canary/)
    expect(shown).not.toContain(privatePem.split('\n')[3])
  })
})

describe('what a platform leaves in a variable', () => {
  const names = [
    'GATEWAY_BASE_URL',
    'GATEWAY_MERCHANT_CODE',
    'GATEWAY_TIMESTAMP_UNIT',
    'GATEWAY_LIVE',
  ] as const

  it.each(names)(
    '%s is taken without blanks around it, and refused by name with quotes or breaks',
    (name) => {
      const good = { ...env, GATEWAY_TIMESTAMP_UNIT: 'seconds', GATEWAY_LIVE: 'false' }
      const value = good[name]
      expect(optionsFromEnv({}, { ...good, [name]: ` ${value}\n` })).toEqual(optionsFromEnv({}, good))
      const quoted = [`"${value}"`, `'${value}'`, `\u201c${value}\u201d`]
      const unseen = [`${value}\n${value}`, `${value}\u0000x`, `${value}\u200b`, `\u200f${value}`]
      for (const damaged of [...quoted, ...unseen])
        expect(() => optionsFromEnv({}, { ...good, [name]: damaged })).toThrow(new RegExp(`^${name} h`))
    },
  )

  it('a key file that never ends, or is no key, is not read', () => {
    const read = (GATEWAY_PRIVATE_KEY_FILE: string) =>
      optionsFromEnv({}, { ...env, GATEWAY_PRIVATE_KEY: undefined, GATEWAY_PRIVATE_KEY_FILE })
    expect(() => read('/dev/zero')).toThrow('is a pipe or a device, which may never end')
    const long = join(folder, 'long')
    writeFileSync(long, Buffer.alloc(1024 * 1024 + 1))
    expect(() => read(long)).toThrow('is longer than 1 MiB')
  })
})
