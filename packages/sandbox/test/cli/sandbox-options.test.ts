import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Ended, runHere, type Started, startActHere, startHere } from '../../../cli/test/here.js'
import { temporaryFolder } from '../../../cli/test/support.js'
import { sandboxCommand } from '../../src/cli/sandbox.js'
import { sandboxOptions } from '../../src/cli/sandbox-options.js'
import type { SandboxOptions } from '../../src/index.js'
import { privatePem, publicPem } from '../support.js'

const folder = temporaryFolder()
const root = new URL('../../../../', import.meta.url)

function fileOf(options: unknown): string {
  const file = join(folder.path, 'sandbox.json')
  writeFileSync(file, typeof options === 'string' ? options : JSON.stringify(options))
  return file
}

/** A value other than the default for everything that a file can say. */
const all = {
  profile: { profileVersion: 1, callbacks: { method: 'PUT' } },
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
  settleAfterMs: 5000,
  settleJitterMs: 2,
  expireAfterMs: 9000,
  magicAmounts: [{ amount: 13, outcome: 'FAILED', meaning: 'Bad luck.' }],
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

test.each<[string[], SandboxOptions]>([
  [[], {}],
  [['--seed', 'a'], { seed: 'a' }],
  [['--merchant-code', 'M 1'], { merchantCode: 'M 1' }],
  [['--strictness', 'specification'], { strictness: 'specification' }],
  [['--limiter', 'evenly-spaced'], { limiter: 'evenly-spaced' }],
  [['--rate-limit', '3'], { rateLimit: 3 }],
  [['--rate-limit', 'off'], { rateLimit: false }],
  [['--settle-after', '0'], { settleAfterMs: 0 }],
  [['--settle-after', 'never'], { settleAfterMs: false }],
  [['--timestamp-unit', 'milliseconds'], { timestampUnit: 'milliseconds' }],
  [
    ['--clock', 'virtual'],
    { clock: 'virtual', rateLimit: false, timestampToleranceSecs: Number.MAX_SAFE_INTEGER },
  ],
])('sandbox %j makes a sandbox of %j', async (args, options) => {
  let made: SandboxOptions | undefined
  await startActHere(async (io) => {
    const command = sandboxCommand(io).action(() => {})
    made = sandboxOptions(command.parse(args, { from: 'user' }).opts(), io)
  }).ended
  expect(made).toEqual(options)
})

describe('sandbox --options', () => {
  const running: Started[] = []
  afterEach(async () => {
    for (const one of running.splice(0)) await one.end()
  })

  async function serve(options: unknown, ...flags: string[]) {
    const started = startHere(['sandbox', '--json', '--options', fileOf(options), ...flags])
    running.push(started)
    const served: Readonly<Record<string, string>> = JSON.parse(await started.line)
    const { baseUrl = '' } = served
    const control = (...args: string[]): Promise<Ended> =>
      runHere(['control', ...args], { GATEWAY_BASE_URL: baseUrl })
    return { served, baseUrl, control }
  }

  test('takes everything that createSandbox takes and JSON can say', async () => {
    const { served, baseUrl, control } = await serve(all)
    expect(served).toMatchObject({ merchantCode: 'M-0001', timestampUnit: 'milliseconds' })
    expect(new URL(baseUrl).pathname).toBe('/api')
    expect(JSON.parse((await control('GET', '/state')).stdout)).toMatchObject({
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
    const { control } = await serve({
      callbackBody: { event: 'changed' },
      callbackTries: 1,
      pendingAfterMs: 1e9,
    })
    const order = {
      kind: 'payin',
      id: 'order-1',
      amount: 1,
      currencyCode: 'EUR',
      callbackUrl: 'http://127.0.0.1:9/',
    }
    await control('POST', '/create', '--body', JSON.stringify(order))
    await control('POST', '/payments/payin/order-1/callback')
    await control('GET', '/idle')
    const { stdout } = await control('GET', '/payments/payin/order-1')
    expect(JSON.parse(stdout).entries).toContainEqual(
      expect.objectContaining({ type: 'callback', body: '{\n  "event": "changed"\n}' }),
    )
  })

  test('gives way to what stands on the line', async () => {
    const { control } = await serve({ rateLimit: 3, limiter: 'fixed-window' }, '--rate-limit', '4')
    expect(JSON.parse((await control('GET', '/state')).stdout)).toMatchObject({
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
    ['{', /--options must name a file with an object of JSON\.$/],
    [[], /--options must name a file with an object of JSON\.$/],
  ])('refuses %j with a sentence and 2, and shows no value', async (options, sentence) => {
    const { code, stdout, stderr } = await runHere(['sandbox', '--options', fileOf(options)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.trimEnd()).toMatch(sentence)
    expect(stderr).not.toMatch(/canary|soon|elsewhere/)
  })

  test('plays the profile of --profile, which goes before that of the file', async () => {
    const body = { status: 'number', title: 'string' }
    const refusals = { 'token-missing': { status: 419, contentType: 'application/problem+json', body } }
    const file = join(folder.path, 'gateway-profile.json')
    writeFileSync(file, JSON.stringify({ profileVersion: 1, refusals }))
    const { baseUrl } = await serve({ profile: { profileVersion: 1 } }, '--profile', file)
    const headers = { accept: 'application/json', 'x-api-version': '2' }
    const refused = await fetch(`${baseUrl}/merchant-info`, { headers })
    expect([refused.status, await refused.json()]).toEqual([419, { status: 419, title: 'TOKEN_MISSING' }])
  })

  test.each([
    ['{"canary"', 'error: --profile must name a profile: a file of JSON that "learn" has written.\n'],
    ['{"canary":1}', "error: the profile can't be read: profileVersion is missing.\n"],
  ])('refuses the profile %j', async (text, stderr) => {
    const file = fileOf(text)
    expect(await runHere(['sandbox', '--profile', file])).toEqual({ code: 2, stdout: '', stderr })
  })

  test('names a file that is not there', async () => {
    expect((await runHere(['sandbox', '--options', 'nowhere.json'])).stderr).toBe(
      'error: nowhere.json does not exist.\n',
    )
  })

  test('has its example in the page', async () => {
    const page = readFileSync(new URL('docs/command-line.md', root), 'utf8')
    const [, example = ''] = /```json\n(\{ "settleAfterMs"[^`]*)```/.exec(page) ?? []
    const { control } = await serve(example)
    expect(JSON.parse((await control('GET', '/state')).stdout)).toMatchObject({
      balances: [{ amount: 1000, currencyCode: 'EUR' }],
    })
  })
})
