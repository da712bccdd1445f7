import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer as createHandler } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createSandbox, type SandboxOptions } from 'merchant-gateway-sandbox'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyToken, handMadeGateway, json, type Reply, reset } from '../../../../test/faults/servers.js'
import { closedAddress, listen } from '../../../../test/support/listening.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { privatePem, vector } from '../../../../test/support/vectors.js'
import { runHere } from '../here.js'
import {
  ctrlC,
  type Environment,
  escapes,
  type Finished,
  inTerminal,
  run,
  secrets,
  start,
  temporaryFolder,
} from '../support.js'

const folder = temporaryFolder()
const callbacks = {
  GATEWAY_CALLBACK_SECRET: 'canary-of-32-bytes-or-more-0123456789',
  GATEWAY_CALLBACK_URL: '',
}
/** The merchant's handler. */
const handler = createHandler(({ url = '' }, response) => {
  response.writeHead(Number(/(\d+)$/.exec(url)?.[1] ?? 404)).end()
})
beforeAll(async () => {
  callbacks.GATEWAY_CALLBACK_URL = `http://127.0.0.1:${await listen(handler)}/hooks/canary`
})
afterAll(() => void handler.close())

const otherKey = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)

interface Check {
  readonly check: string
  readonly verdict: string
  readonly message: string
  readonly fix?: string
}

interface Report {
  readonly code: number | null
  readonly ok: boolean
  /** By their names. */
  readonly checks: Readonly<Record<string, Check>>
}

/** Runs it for people and for scripts, sees that no secret is in either, and reads the latter. */
async function doctor(
  env: Environment,
  runDoctor: (args: readonly string[], env: Environment) => Promise<Finished> = runHere,
): Promise<Report> {
  const [text, json] = await Promise.all([runDoctor(['doctor'], env), runDoctor(['doctor', '--json'], env)])
  const shown = text.stdout + text.stderr + json.stdout + json.stderr
  for (const secret of secrets) expect(shown).not.toMatch(secret)
  expect(shown).not.toMatch(escapes)
  expect(text.stderr + json.stderr).toBe('')
  expect(text.code).toBe(json.code)
  const report: { ok: boolean; checks: Check[] } = JSON.parse(json.stdout)
  for (const { check, verdict } of report.checks)
    expect(text.stdout).toMatch(new RegExp(`^${verdict} +${check} `, 'm'))
  return {
    code: json.code,
    ok: report.ok,
    checks: Object.fromEntries(report.checks.map((one) => [one.check, one])),
  }
}

/** The doctor about a sandbox; what is undefined in `change` is not set. */
async function examine(
  options: SandboxOptions,
  change: Readonly<Record<string, string | undefined>> = {},
): Promise<Report> {
  // Two doctors run at once, and on a busy machine what they sent evenly may arrive at once.
  await using sandbox = createSandbox({ rateLimit: false, ...options })
  await sandbox.listen()
  const set = Object.entries({ ...environmentOf(sandbox), ...callbacks, ...change })
  const env = Object.fromEntries(set.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const report = await doctor(env)
  expect(sandbox.payins.list()).toEqual([])
  expect(sandbox.payouts.list()).toEqual([])
  for (const { method, path } of sandbox.requests) {
    if (method === 'POST')
      expect(path).toMatch(/^(?:\/api)?\/(?:auth-tokens|payins\/!availablePaymentOptions)$/)
  }
  return report
}

describe.concurrent('doctor', () => {
  test('finds everything right, creates no payment, and ends with 0', async () => {
    const { code, ok, checks } = await examine({})
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    expect(Object.entries(checks).map(([name, { verdict }]) => `${verdict} ${name}`)).toEqual([
      'ok node',
      'ok key',
      'ok merchant code',
      'ok base URL',
      'ok connection',
      'ok clock',
      'ok API version',
      'ok signature',
      'ok token',
      'ok payins',
      'ok payouts',
      'ok account',
      'ok callback key',
      'ok callback URL',
      'ok rate limit',
    ])
    expect(checks.key?.message).toMatch(/^RSA, 2048 bits, SHA-256 of the public half [0-9a-f]{64}$/)
    // Two in one process don't ask for the same life.
    expect(checks.token?.message).toMatch(/^lives 1[45] min(?: \d+ s)? of 15 min asked for$/)
  })

  test('finds a key, or a merchant code, that the platform does not know', async () => {
    const { code, ok, checks } = await examine({}, { GATEWAY_PRIVATE_KEY: otherKey })
    expect({ code, ok }).toEqual({ code: 1, ok: false })
    expect(checks.signature).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('SIGNATURE_INVALID'),
    })
    expect(checks.signature?.fix).toContain('public half')
    expect(checks['not checked']?.message).toBe('token, operations')
    const another = await examine({}, { GATEWAY_MERCHANT_CODE: 'canary' })
    expect(another.code).toBe(1)
    expect(another.checks.signature?.message).toContain('MERCHANT_UNKNOWN')
    expect(another.checks.signature?.fix).toContain('GATEWAY_MERCHANT_CODE')
  })

  test('finds which unit of the timestamp works', async () => {
    const { code, checks } = await examine({ timestampUnit: 'milliseconds' })
    expect(code).toBe(0)
    expect(checks.signature).toMatchObject({
      verdict: 'warn',
      message: 'accepted with the timestamp in milliseconds, refused in seconds (the default)',
      fix: expect.stringContaining("timestampUnit: 'milliseconds'"),
    })
    expect(checks.payouts?.verdict).toBe('ok')
    const set = await examine({ timestampUnit: 'milliseconds' }, { GATEWAY_TIMESTAMP_UNIT: 'milliseconds' })
    expect(set.checks.signature?.message).toBe('accepted, timestamp in milliseconds (GATEWAY_TIMESTAMP_UNIT)')
    const wrong = await examine({}, { GATEWAY_TIMESTAMP_UNIT: 'milliseconds' })
    expect(wrong.checks.signature?.fix).toContain('GATEWAY_TIMESTAMP_UNIT=seconds')
  })

  test('finds a clock that is an hour behind, and that all else is right', async () => {
    const { code, checks } = await examine({
      startAt: Date.now() + 3_600_000,
      timestampUnit: 'milliseconds',
    })
    expect(code).toBe(1)
    expect(checks.clock).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching('(?:1 h|59 min).* behind the'),
    })
    expect(checks.signature?.message).toBe(
      'accepted with the timestamp in milliseconds, refused in seconds (the default)',
    )
    expect(checks.account?.verdict).toBe('ok')
  })

  test('ends with 3 where nobody listens', async () => {
    const { code, checks } = await examine({}, { GATEWAY_BASE_URL: await closedAddress() })
    expect(code).toBe(3)
    expect(checks.connection).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/^no connection could be made; nobody listens there: .*[^.]$/),
    })
    expect(checks).not.toHaveProperty('rate limit')
    expect(checks['not checked']?.message).toBe('clock, API version, signature, token, operations')
  })

  test('a base URL that is no address condemns nothing else', async () => {
    const { code, checks } = await examine({}, { GATEWAY_BASE_URL: 'gateway.example' })
    expect(code).toBe(2)
    const failed = Object.entries(checks).filter(([, { verdict }]) => verdict === 'fail')
    expect(failed.map(([name]) => name)).toEqual(['base URL'])
    expect(checks['not checked']?.message).toBe(
      'connection, clock, API version, signature, token, operations',
    )
    expect(checks['callback URL']?.verdict).toBe('ok')
  })

  test('finds a token that lives shorter than it should', async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    await sandbox.listen()
    const change = () => ({ token: shortToken() })
    sandbox.fault({
      route: 'POST /auth-tokens',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'mutate', change },
    })
    const { code, checks } = await doctor({ ...environmentOf(sandbox), ...callbacks })
    expect(checks.token).toMatchObject({
      verdict: 'warn',
      message: expect.stringContaining('lives 1 min of 15 min'),
    })
    // The gateway does not know a token that was changed on its way.
    expect(checks.account?.verdict).toBe('fail')
    expect(code).toBe(1)
  })

  test('finds what the merchant account is not allowed', async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    await sandbox.listen()
    const refuse = { kind: 'status', status: 403 } as const
    sandbox.fault({ route: 'GET /payouts/{idPayout}', times: Number.POSITIVE_INFINITY, action: refuse })
    sandbox.fault({ route: 'GET /balances', times: Number.POSITIVE_INFINITY, action: refuse })
    const { code, checks } = await doctor({ ...environmentOf(sandbox), ...callbacks })
    expect(code).toBe(1)
    expect(checks.payins?.verdict).toBe('ok')
    expect(checks.payouts).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('GET /payouts/{idPayout}: 403'),
    })
    expect(checks.account?.message).toMatch(/^GET \/balances: 403/)
  })

  test('finds a path of the base URL that is wrong', async () => {
    await using sandbox = createSandbox({ rateLimit: false, basePath: '/api' })
    const { url } = await sandbox.listen()
    const right = await doctor({ ...environmentOf(sandbox), ...callbacks })
    expect(right).toMatchObject({ code: 0, checks: { 'API version': { verdict: 'ok' } } })
    const wrong = await doctor({ ...environmentOf(sandbox), ...callbacks, GATEWAY_BASE_URL: url })
    expect(wrong.code).toBe(1)
    expect(wrong.checks['API version']).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('404'),
    })
  })
})

/** The doctor about a gateway that answers token requests so, and refuses all others without a token. */
async function examineTokens(token: Reply, change: Environment = {}): Promise<Report> {
  const business: Reply = (response, request) =>
    json(request.headers.authorization === undefined ? 401 : 200, {})(response, request)
  await using gateway = await handMadeGateway({ token: [token], lookUp: [business], create: [business] })
  const env = { GATEWAY_BASE_URL: gateway.url, GATEWAY_MERCHANT_CODE: 'M-1', GATEWAY_PRIVATE_KEY: privatePem }
  return await doctor({ ...env, ...change, ...callbacks })
}

describe.concurrent('doctor about token requests', () => {
  /** Grants no token for longer than so many seconds, and takes no timestamp but in seconds. */
  const capped =
    (mostSecs: number): Reply =>
    (response, request) => {
      const { timestamp, validitySecs } = JSON.parse(request.body)
      const granted =
        validitySecs > mostSecs ? json(422, { message: 'validity' }) : json(200, { token: anyToken })
      const answer = timestamp < 1e11 ? granted : json(401, { message: 'timestamp' })
      answer(response, request)
    }

  test('tells a cap of the validity from a wrong address, and goes on with what is granted', async () => {
    const { checks } = await examineTokens(capped(120))
    expect(checks.signature).toEqual({
      check: 'signature',
      verdict: 'warn',
      message: 'accepted for a token of 60 s, refused for one of 900 s (the default)',
      fix: 'Give tokenValiditySecs: 60 (GATEWAY_TOKEN_VALIDITY_SECS=60) to the client.',
    })
    expect([checks.token?.verdict, checks.account?.verdict]).toEqual(['ok', 'ok'])
    const set = await examineTokens(capped(120), { GATEWAY_TOKEN_VALIDITY_SECS: '100' })
    expect(set.checks.signature?.verdict).toBe('ok')
  })

  test('says what is refused for every validity with the lengths, and not that the address is wrong', async () => {
    const { checks } = await examineTokens(capped(30))
    expect(checks.signature).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/^refused \(422.*\), for 300 and 60 s too$/),
    })
    expect(checks.signature?.fix).not.toContain('GATEWAY_BASE_URL')
  })

  test('finds where the token stands', async () => {
    const elsewhere = json(200, { data: { bearing: 'opaque-token-of-many-characters' } })
    const { checks } = await examineTokens(elsewhere)
    expect(checks.signature?.fix).toContain("Give tokenField: 'data.bearing'")
    const set = await examineTokens(elsewhere, { GATEWAY_TOKEN_FIELD: 'data.bearing' })
    expect(set.checks.signature?.verdict).toBe('ok')
  })

  test.each<[string, Reply, number, RegExp]>([
    ['no response', reset, 3, /connection/],
    [
      '429',
      json(429, {}, { 'retry-after': '60' }),
      1,
      /^not known: over the rate limit \(.*of the signature$/,
    ],
    ['500', json(500, {}), 1, /^not known: the gateway failed \(500\), which says nothing of the signature$/],
  ])('does not take %s for a refusal', async (_, token, exitCode, message) => {
    const { code, checks } = await examineTokens(token)
    expect(code).toBe(exitCode)
    expect(checks.signature?.message).toMatch(message)
    expect(checks.signature?.fix).not.toMatch(/GATEWAY_|public half/)
  })

  test('blames the secret where that is what is refused', async () => {
    const secret = { GATEWAY_PRIVATE_KEY: '', GATEWAY_MERCHANT_SECRET: 'secret-canary' }
    const { checks } = await examineTokens(json(401, {}), secret)
    expect(checks.secret?.fix).toContain('GATEWAY_MERCHANT_SECRET')
  })
})

describe.concurrent('doctor about settings, which end with 2', () => {
  const wrong: [string, Readonly<Record<string, string | undefined>>, string, RegExp][] = [
    ['no key', { GATEWAY_PRIVATE_KEY: undefined }, 'key', /is not set/],
    ['two keys', { GATEWAY_PRIVATE_KEY_FILE: 'key.pem' }, 'key', /both set/],
    ['no merchant code', { GATEWAY_MERCHANT_CODE: undefined }, 'merchant code', /is not set/],
    ['an address that is none', { GATEWAY_BASE_URL: 'canary' }, 'base URL', /absolute URL/],
    ['a unit that is none', { GATEWAY_TIMESTAMP_UNIT: 'canary' }, 'options', /_UNIT must be "seconds" or/],
    ['money that is neither', { GATEWAY_LIVE: 'yes' }, 'options', /GATEWAY_LIVE must be true or false/],
    ['no callback secret', { GATEWAY_CALLBACK_SECRET: undefined }, 'callback key', /is not set/],
    ['callbacks by plain http', { GATEWAY_CALLBACK_URL: 'http://x.example/canary' }, 'callback URL', /https/],
  ]
  test.each(wrong)('%s', async (_, change, check, message) => {
    const { code, checks } = await examine({}, change)
    expect(code).toBe(2)
    expect(checks[check]).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(message),
      fix: expect.any(String),
    })
  })

  test.each<[string, string, string]>([
    ['is wrong for a gateway elsewhere', '', 'leads to this machine, where the gateway is not'],
    ['may have nobody there', 'none', 'nobody answers there (ECONNREFUSED), asked from this machine'],
    ['may have a handler that fails', '/502', 'answered 502'],
    ['is right where somebody answers', '/404', 'somebody answers there (404)'],
  ])('a callback URL of this machine %s', async (_, where, message) => {
    const url = where === 'none' ? await closedAddress() : callbacks.GATEWAY_CALLBACK_URL + where
    const elsewhere = where === '' ? { GATEWAY_BASE_URL: 'https://gateway.invalid' } : {}
    const { checks } = await examine({}, { ...elsewhere, GATEWAY_CALLBACK_URL: url })
    expect(checks['callback URL']?.message).toBe(message)
  })

  test('without any callback setting says that statuses are found by polling', async () => {
    const none = { GATEWAY_CALLBACK_SECRET: undefined, GATEWAY_CALLBACK_URL: undefined }
    const { code, checks } = await examine({}, none)
    expect(code).toBe(0)
    expect(checks.callbacks).toMatchObject({
      verdict: 'warn',
      fix: expect.stringContaining('openssl rand -hex 32'),
    })
  })

  test('several callback secrets are right, and no callback URL may be', async () => {
    const secret = callbacks.GATEWAY_CALLBACK_SECRET
    const { code, checks } = await examine(
      {},
      { GATEWAY_CALLBACK_SECRET: `${secret}, ${secret}2`, GATEWAY_CALLBACK_URL: undefined },
    )
    expect(code).toBe(0)
    expect(checks['callback key']?.message).toBe('2, long enough; the first one signs')
    expect(checks['callback URL']?.verdict).toBe('skip')
  })

  test('an encrypted key, and one with escaped line breaks, have a fingerprint too', async () => {
    const escaped = privatePem.replaceAll('\n', '\\n')
    const plain = await examine({ privateKey: privatePem }, { GATEWAY_PRIVATE_KEY: escaped })
    const encrypted = await examine(
      { privateKey: privatePem },
      {
        GATEWAY_PRIVATE_KEY: vector('rsa2048.encrypted.pem'),
        GATEWAY_PRIVATE_KEY_PASSPHRASE: 'correct-horse',
      },
    )
    expect(plain.code).toBe(0)
    expect(plain.checks.key?.message).toMatch(/half [0-9a-f]{64}$/)
    expect(encrypted.checks.key?.message).toBe(plain.checks.key?.message)
  })

  test('a merchant secret is accepted, and to be replaced', async () => {
    const secret = { GATEWAY_PRIVATE_KEY: undefined, GATEWAY_MERCHANT_SECRET: 'secret-canary' }
    const { code, checks } = await examine({ merchantSecret: 'secret-canary' }, secret)
    expect(code).toBe(0)
    expect(checks.key).toMatchObject({ verdict: 'warn', message: expect.stringContaining('deprecated') })
    expect(checks.secret).toMatchObject({ verdict: 'ok', message: 'accepted' })
  })
})

test('a key file that others may read is to be closed', async () => {
  const file = join(folder.path, 'key.pem')
  writeFileSync(file, privatePem)
  chmodSync(file, 0o644)
  const inFile = { GATEWAY_PRIVATE_KEY: undefined, GATEWAY_PRIVATE_KEY_FILE: file }
  const open = await examine({ privateKey: privatePem }, inFile)
  expect(open.checks.key).toMatchObject({ verdict: 'warn', message: expect.stringContaining('mode 0644') })
  chmodSync(file, 0o600)
  expect((await examine({ privateKey: privatePem }, inFile)).checks.key?.verdict).toBe('ok')
})

describe('in a terminal and in a pipe', () => {
  const sandbox = createSandbox()
  let env: Environment
  beforeAll(async () => {
    await sandbox.listen()
    env = { ...environmentOf(sandbox), ...callbacks }
  })
  afterAll(() => sandbox.close())

  test('a terminal gets colours, and the lines one by one', async () => {
    const session = inTerminal(['doctor'], env, 80)
    await session.until(', 0 failed')
    const { code, screen } = await session.finished
    expect(code).toBe(0)
    expect(screen).toContain('\u001b[32mok  \u001b[39m  node')
    expect(screen).toMatch(/ [0-9a-f]{64}\r?\n/)
    for (const secret of secrets) expect(screen).not.toMatch(secret)
  })

  test('Ctrl-C ends it with 130', async () => {
    const session = inTerminal(['doctor'], env)
    await session.until('connection')
    session.type(ctrlC)
    const { code, screen } = await session.finished
    expect(code).toBe(130)
    expect(screen).not.toContain('passed,')
  })

  test('a reader that goes away (| head) ends it without a word', async () => {
    const running = start(['doctor'], { env })
    await running.until('\n')
    running.stopReading()
    expect(await running.finished).toMatchObject({ code: 141, stderr: '' })
  })
})

describe('TLS', () => {
  let url = ''
  let certificate = ''
  let close: () => void = () => {}
  const make = async () => {
    certificate = join(folder.path, 'tls.pem')
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
      algorithm: 'sha256',
      notAfterDate: new Date(Date.now() + 5 * 86_400_000),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    })
    writeFileSync(certificate, made.cert)
    return { key: made.private, cert: made.cert }
  }
  const open = async () => {
    const server = createServer(await make(), (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    })
    url = `https://localhost:${await listen(server, 'localhost')}`
    close = () => {
      server.closeAllConnections()
      server.close()
    }
  }

  test('a certificate that this machine does not know is not accepted', async () => {
    await open()
    const env = {
      GATEWAY_BASE_URL: url,
      GATEWAY_MERCHANT_CODE: 'M',
      GATEWAY_PRIVATE_KEY: privatePem,
      ...callbacks,
    }
    // Node reads which authorities it knows when it starts.
    const inProcess = (args: readonly string[], env: Environment) => run(args, { env })
    const unknown = await doctor(env)
    const known = await doctor({ ...env, NODE_EXTRA_CA_CERTS: certificate }, inProcess)
    const otherHost = { GATEWAY_BASE_URL: url.replace('localhost', '127.0.0.1') }
    const plain = await doctor({ ...env, ...otherHost, NODE_EXTRA_CA_CERTS: certificate }, inProcess)
    const unchecked = await doctor({ ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    close()
    expect(unknown.code).toBe(3)
    expect(unknown.checks.connection).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/who signed the gateway's certificate.* NODE_EXTRA_CA_CERTS/),
    })
    expect(known.checks.connection).toMatchObject({
      verdict: 'ok',
      message: expect.stringMatching(/^answered in /),
    })
    expect(plain.checks.connection?.message).toContain('certificate is for another host')
    expect(unchecked.checks['base URL']).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED'),
    })
  })
})

/** A token of one minute that no gateway has signed. */
function shortToken(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'HS256' })}.${part({ iat: now, exp: now + 60 })}.c2ln`
}
