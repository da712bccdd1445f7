import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { sandboxOptions } from '../../src/cli/sandbox-options.js'
import type { SandboxOptions } from '../../src/index.js'
import { privatePem, publicPem } from '../support.js'
import { run, type Started, start, temporaryFolder } from './here.js'

const folder = temporaryFolder()
const root = new URL('../../../../', import.meta.url)

function fileOf(options: unknown): string {
  const file = join(folder.path, 'sandbox.json')
  writeFileSync(file, typeof options === 'string' ? options : JSON.stringify(options))
  return file
}

/** A value other than the default for everything that a file can say. */
const all = {
  strictness: 'specification',
  merchantCode: 'M-0001',
  merchantSecret: 'canary',
  publicKeys: [publicPem],
  privateKey: privatePem,
  timestampUnit: 'milliseconds',
  timestampToleranceSecs: 60,
  replay: 'refuse',
  tokenField: 'accessToken',
  tokenFormat: 'text',
  maxValiditySecs: 300,
  payinStatusIn: 'top',
  errorFormat: 'errors',
  customerAccountPath: '/payins/{idPayin}/account',
  basePath: '/api',
  rateLimit: 3,
  limiter: 'fixed-window',
  retryAfter: 'seconds',
  pendingAfterMs: 1,
  payAfterMs: 5000,
  payJitterMs: 2,
  expireAfterMs: 9000,
  magicAmounts: false,
  clock: 'virtual',
  startAt: '2026-11-21T08:00:00Z',
  seed: 'a',
  callbackBody: { event: 'changed' },
  callbackTries: 5,
  callbackRetryAfterMs: 10,
  callbackTimeoutMs: 20,
  maxLogged: 100,
  maxPayments: 200,
  maxBodyBytes: 300,
  mistakes: 'note',
  payinMethods: ['CARD'],
  channelName: 'A Shop',
  balances: { EUR: 5 },
  balanceCounts: { pendingPayouts: true, fees: 'kept' },
  paymentOperators: [{ code: 'PIER', name: 'Pier Bank' }],
} satisfies Readonly<Record<keyof Omit<SandboxOptions, 'deliver' | 'onExchange'>, unknown>>

const running: Started[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.end()
})

/** A sandbox that the command serves, and its control API. */
async function serve(...flags: string[]) {
  // Not the usual port: a connection to the sandbox before may be idle in this process.
  const started = start(['sandbox', '--json', '--port', '0', ...flags])
  running.push(started)
  const served: Readonly<Record<string, string>> = JSON.parse(await started.until('\n'))
  const { baseUrl = '' } = served
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${new URL(baseUrl).origin}/_sandbox/api/${path}`, init)).json()
  }
  return { served, baseUrl, ask }
}

const order = { kind: 'payin', id: 'order-1', amount: 1, currencyCode: 'EUR' }

test.each<[string[], string, object]>([
  [[], 'info', { merchantCode: 'SANDBOX-MERCHANT', timestampUnit: 'seconds', paysAfterMs: 1000 }],
  [[], 'state', { clock: { mode: 'real' }, limiter: { kind: 'sliding-window', limit: 10 } }],
  [['--merchant-code', 'M 1'], 'info', { merchantCode: 'M 1' }],
  [['--limiter', 'evenly-spaced'], 'state', { limiter: { kind: 'evenly-spaced' } }],
  [['--rate-limit', '3'], 'state', { limiter: { limit: 3 } }],
  [['--rate-limit', 'off'], 'state', { limiter: { limit: null } }],
  [['--pay-after', '0'], 'info', { paysAfterMs: 0 }],
  [['--pay-after', 'never'], 'info', { paysAfterMs: null }],
  [['--timestamp-unit', 'milliseconds'], 'info', { timestampUnit: 'milliseconds' }],
  [['--clock', 'virtual'], 'state', { clock: { mode: 'virtual' }, limiter: { limit: null } }],
])('sandbox %j serves a sandbox whose %s shows %j', async (args, path, shown) => {
  const { ask } = await serve(...args)
  expect(await ask(path)).toMatchObject(shown)
})

test('sandbox --seed makes references repeat', async () => {
  const reference = async (seed: string) => {
    const { ask } = await serve('--seed', seed)
    await ask('create', order)
    return Object(await ask('payments/payin/order-1')).payment.reference
  }
  expect(await reference('a')).toBe(await reference('a'))
  expect(await reference('a')).not.toBe(await reference('b'))
})

test('sandbox --strictness specification shows what the specification shows', async () => {
  const { baseUrl } = await serve('--strictness', 'specification')
  expect(await (await fetch(`${baseUrl}/merchant-info`)).text()).toBe('')
})

describe('sandbox --options', () => {
  const serveFile = (options: unknown, ...flags: string[]) => serve('--options', fileOf(options), ...flags)

  test('takes everything that createSandbox takes and JSON can say', async () => {
    const { served, baseUrl, ask } = await serveFile(all)
    expect(served).toMatchObject({ merchantCode: 'M-0001', timestampUnit: 'milliseconds' })
    expect(new URL(baseUrl).pathname).toBe('/api')
    expect(await ask('state')).toMatchObject({
      clock: { mode: 'virtual', now: Date.parse('2026-11-21T08:00:00Z'), skewMs: 0 },
      limiter: { kind: 'fixed-window', limit: 3 },
      balances: [{ amount: 5, currencyCode: 'EUR' }],
      faults: [],
    })
    const refused = await fetch(`${baseUrl}/merchant-info`, {
      headers: { accept: 'application/json', 'x-api-version': '2' },
    })
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { errors: [expect.objectContaining({ code: 'TOKEN_MISSING' })] },
    ])
  })

  test('makes the content of every callback of what stands there', async () => {
    const { ask } = await serveFile({
      callbackBody: { event: 'changed' },
      callbackTries: 1,
      pendingAfterMs: 1e9,
    })
    await ask('create', { ...order, callbackUrl: 'http://127.0.0.1:9/' })
    await ask('payments/payin/order-1/callback', {})
    await ask('idle')
    expect(await ask('payments/payin/order-1')).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ type: 'callback', body: '{\n  "event": "changed"\n}' }),
      ]),
    })
  })

  test('gives way to what stands on the line', async () => {
    const { ask } = await serveFile({ rateLimit: 3, limiter: 'fixed-window' }, '--rate-limit', '4')
    expect(await ask('state')).toMatchObject({
      limiter: { kind: 'fixed-window', limit: 4 },
    })
  })

  test('keeps no rate and takes any timestamp on a clock that stands still, unless it says otherwise', () => {
    const io = { out() {}, paint: (_: unknown, text: string) => text }
    const made = (options: object) => sandboxOptions({ options: fileOf(options) }, io)
    expect(made({ clock: 'virtual' })).toMatchObject({
      rateLimit: false,
      timestampToleranceSecs: Number.MAX_SAFE_INTEGER,
    })
    expect(made({ clock: 'virtual', rateLimit: 5 })).toMatchObject({ rateLimit: 5 })
  })

  test.each<[unknown, RegExp]>([
    [{ rateLimt: 3 }, /--options: the option rateLimt is not known; .* did you mean rateLimit\?$/],
    [{ rateLimit: 0 }, /--options: the option rateLimit must be a whole number of requests a second/],
    [{ startAt: 'soon' }, /--options: the option startAt must be milliseconds since 1970/],
    [{ deliver: 'elsewhere' }, /--options: the option deliver must be a function/],
    [{ privateKey: 'canary' }, /--options: the option privateKey must be a private RSA key/],
    ['{', /--options must name a file with an object of JSON\.\n/],
    [[], /--options must name a file with an object of JSON\.\n/],
  ])('refuses %j with a sentence and 2, and shows no value', async (options, sentence) => {
    const { code, stdout, stderr } = await run(['sandbox', '--options', fileOf(options)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.trimEnd()).toMatch(sentence)
    expect(stderr).not.toMatch(/canary|soon|elsewhere/)
  })

  test('names a file that is not there', async () => {
    expect((await run(['sandbox', '--options', 'nowhere.json'])).stderr).toBe(
      'error: nowhere.json does not exist.\n       Name a file that is there.\n',
    )
  })

  test('has its example in the page', async () => {
    const page = readFileSync(new URL('docs/sandbox-command.md', root), 'utf8')
    const [, example = ''] = /```json\n(\{ "payAfterMs"[^`]*)```/.exec(page) ?? []
    const { ask } = await serveFile(example)
    expect(await ask('state')).toMatchObject({
      balances: [{ amount: 1000, currencyCode: 'EUR' }],
    })
  })
})
