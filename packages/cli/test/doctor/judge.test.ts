import * as errors from 'merchant-gateway'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { judgeCallbacks } from '../../src/doctor/callbacks.js'
import { timeStyles } from '../../src/doctor/examine.js'
import {
  exitCodeOfFindings,
  type Finding,
  fail,
  linesOf,
  ok,
  summaryOf,
  warn,
} from '../../src/doctor/finding.js'
import {
  judgeClock,
  judgeFamily,
  judgeRate,
  judgeSignature,
  judgeVersion,
} from '../../src/doctor/judge-remote.js'
import { pacedFetch, type Reply } from '../../src/doctor/network.js'
import { judgeAddress, judgeNode } from '../../src/doctor/settings.js'
import { exitCodeOf, exitCodes, sentenceOf } from '../../src/exit-codes.js'
import { jsonLine, painter, printable, shellQuoted, spanOf, wantsColour } from '../../src/text.js'

const answered = (status: number): Reply => ({
  kind: 'answered',
  status,
  tookMs: 5,
})
const path = '/merchant-info'

test.each([
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
  ['20.18.3', 'fail'],
  ['18.20.0', 'fail'],
])('Node %s is %s', (version, verdict) => {
  expect(judgeNode(version).verdict).toBe(verdict)
})

test.each([
  [0, 'ok'],
  [-5000, 'ok'],
  [5001, 'warn'],
  [-59_999, 'warn'],
  [60_000, 'fail'],
  [-3_600_000, 'fail'],
  [undefined, 'warn'],
])('a clock that is %s ms ahead is %s', (clockAheadMs, verdict) => {
  expect(judgeClock(clockAheadMs).verdict).toBe(verdict)
})

test('a clock is ahead of the gateway’s or behind it', () => {
  expect(judgeClock(3_600_000).message).toContain(' ahead of the')
  expect(judgeClock(-3_600_000).message).toContain(' behind the')
})

test.each([
  [401, 'ok'],
  [403, 'ok'],
  [404, 'fail'],
  [301, 'fail'],
  [200, 'warn'],
  [429, 'warn'],
  [503, 'warn'],
])('a request without a token that is answered %s is %s', (status, verdict) => {
  expect(judgeVersion({ status }).verdict).toBe(verdict)
})

test('a family is refused only where the gateway says so', () => {
  const of = (code: 'none' | 'not_found' | 'invalid_request' | 'permission' | 'server' | 'timeout') =>
    judgeFamily('payouts', [['GET /payouts/{idPayout}', { code, said: 'x' }]]).verdict
  expect(of('none')).toBe('ok')
  expect(of('not_found')).toBe('ok')
  expect(of('permission')).toBe('fail')
  expect(of('server')).toBe('warn')
  expect(of('timeout')).toBe('fail')
  expect(judgeFamily('account', [['GET /balances', { code: 'not_found', said: '404' }]]).verdict).toBe('warn')
})

test('a signature that could not be tried is no refusal', () => {
  const answered = { code: 'timeout', said: 'no answer' } as const
  const { exit } = judgeSignature([{ unit: 'seconds', byGatewaysClock: false, answered }], 'key')
  expect(exit).toBe(exitCodes.unreachable)
  const refused = { code: 'authentication', said: '401' } as const
  const secret = judgeSignature([{ unit: 'seconds', byGatewaysClock: false, answered: refused }], 'secret')
  expect(secret.fix).toContain('GATEWAY_MERCHANT_SECRET')
})

test('an address is wrong where certificates are not checked', () => {
  const env = { GATEWAY_BASE_URL: 'https://gateway.example' }
  expect(judgeAddress({ ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }).verdict).toBe('fail')
  expect(judgeAddress(env)).toEqual(ok('base URL', 'https, host gateway.example'))
})

describe('a callback URL of this machine', () => {
  const judged = async (GATEWAY_BASE_URL: string, reply: Reply) => {
    const env = {
      GATEWAY_BASE_URL,
      GATEWAY_CALLBACK_URL: 'http://127.0.0.1:3000/hooks',
      GATEWAY_CALLBACK_SECRET: '0123456789abcdef0123456789abcdef',
    }
    const findings: Finding[] = []
    for await (const finding of judgeCallbacks(env, async () => reply)) findings.push(finding)
    return findings[1]
  }

  test('is wrong for a gateway elsewhere', async () => {
    expect(await judged('http://127.0.0.1:4000', answered(404))).toMatchObject({ verdict: 'ok' })
    expect(await judged('https://gateway.example', answered(404))).toMatchObject({ verdict: 'fail' })
  })

  test.each([
    [{ kind: 'none', code: 'ECONNREFUSED' }, 'warn', 'nobody listens there, asked from this machine'],
    [{ kind: 'none', code: 'ENOTFOUND' }, 'warn', 'there is no host of that name, asked from this machine'],
    [answered(502), 'warn', 'answered 502'],
    [answered(404), 'ok', 'somebody answers there (404)'],
  ] as const)('where %j', async (reply, verdict, message) => {
    expect(await judged('', reply)).toMatchObject({ verdict, message })
  })
})

test.each([
  ['rate_limit', '429', 'over the rate limit (429)'],
  ['server', '500', 'the gateway failed (500)'],
  ['server', '502', 'the gateway failed (502)'],
] as const)('%s, %s, is not the fault of the signature', (code, said, words) => {
  const answered = { code, said }
  const { verdict, message, fix } = judgeSignature(
    [{ unit: 'seconds', byGatewaysClock: false, answered }],
    'key',
  )
  expect(verdict).toBe('fail')
  expect(message).toBe(`not known: ${words}, which says nothing of the signature`)
  expect(fix).not.toMatch(/GATEWAY_|public half/)
})

test('the unit that the environment asks for is what is right, and tried first', () => {
  const accepted = { code: 'none', said: '' } as const
  const tried = (unit: 'seconds' | 'milliseconds') => [{ unit, byGatewaysClock: false, answered: accepted }]
  expect(judgeSignature(tried('milliseconds'), 'key', 'milliseconds')).toEqual(
    ok('signature', 'accepted, timestamp in milliseconds (GATEWAY_TIMESTAMP_UNIT)'),
  )
  expect(judgeSignature(tried('seconds'), 'key', 'milliseconds')).toMatchObject({
    verdict: 'warn',
    fix: expect.stringContaining('GATEWAY_TIMESTAMP_UNIT=seconds'),
  })
  expect(timeStyles('key', 0, 'milliseconds').map(({ unit }) => unit)).toEqual(['milliseconds', 'seconds'])
})

test.each([40, 60, 80, 100])('a finding in %s columns breaks no word', (columns) => {
  const message = `RSA, 2048 bits, SHA-256 of the public half ${'0123456789abcdef'.repeat(4)}; its file is open to others`
  const fix = 'chmod 600 the file, and see to it that nobody else has read what stands in it before.'
  const lines = linesOf(warn('key', message, fix), painter(false), columns)
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')
  expect(words(lines.join(' '))).toEqual(['warn', 'key', ...words(message), '->', ...words(fix)])
  const tooWide = lines.filter(({ length }) => length > columns)
  // Only a word that is longer than a line by itself.
  expect(tooWide.every((line) => words(line).length === 1 && columns < 70)).toBe(true)
})

test('a finding is one line, and one for its fix, where lines may be long', () => {
  const long = 'word '.repeat(100).trim()
  expect(linesOf(warn('key', long, long), painter(false), Number.POSITIVE_INFINITY)).toEqual([
    `warn  key           ${long}`,
    `                    -> ${long}`,
  ])
})

test('the doctor never sends more than eight requests a second, however many are asked at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sentAt: number[] = []
  const status = () => (sentAt.push(performance.now()) === 2 ? 429 : 200)
  const paced = pacedFetch(async () => new Response(null, { status: status() }))
  const url = new URL('https://gateway.invalid')
  const asked = [paced.fetch(url), paced.ask(url, path), paced.fetch(url), paced.ask(url, path)]
  await vi.advanceTimersByTimeAsync(1000)
  await Promise.all<unknown>(asked)
  expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 125, 250, 375])
  expect(paced.counts).toEqual({ answered: 4, refused: 1 })
})

describe('how the gateway counts', () => {
  const pairAnswered = (...statuses: readonly number[]) => {
    const left = [...statuses]
    const paced = pacedFetch(async () => {
      const status = left.shift() ?? 500
      if (status === 0) throw new Error('no response')
      return new Response(null, { status })
    })
    return paced.refusesTwoAtOnce(new URL('https://gateway.invalid'), path)
  }
  test.each([
    [[401, 429], true],
    [[429, 401], true],
    [[401, 401], false],
    [[429, 429], false],
    [[401, 0], undefined],
  ])('two requests at once that are answered %j', async (statuses, refused) => {
    expect(await pairAnswered(...statuses)).toBe(refused)
  })

  test('is told with the option that says so', () => {
    const { verdict, message, fix } = judgeRate({ answered: 12, refused: 0, pairRefused: true })
    expect(verdict).toBe('warn')
    expect(message).toContain('spaces them evenly')
    expect(fix).toContain("rateLimit: { requestsPerSecond: 10, counted: 'evenly-spaced' }")
  })

  test('is told as the budget of others where requests were refused that came slowly', () => {
    expect(judgeRate({ answered: 12, refused: 4 })).toMatchObject({
      verdict: 'warn',
      message: expect.stringMatching(/^4 of 12 requests refused/),
    })
  })

  test('is nothing to look at where two at once were taken, or were not tried', () => {
    expect(judgeRate({ answered: 12, refused: 0, pairRefused: false })).toEqual(
      ok('rate limit', '12 requests at no more than 8 a second and two at once, none refused'),
    )
    expect(judgeRate({ answered: 1, refused: 0 })).toEqual(
      ok('rate limit', '1 request at no more than 8 a second, none refused'),
    )
  })
})

describe('exit codes', () => {
  test('settings go before the network, and that before a refusal', () => {
    const settings = fail('key', '', '', exitCodes.usage)
    const network = fail('connection', '', '', exitCodes.unreachable)
    const refusal = fail('signature', '', '')
    expect(exitCodeOfFindings([refusal, network, settings])).toBe(2)
    expect(exitCodeOfFindings([refusal, network])).toBe(3)
    expect(exitCodeOfFindings([refusal, warn('token', '', '')])).toBe(1)
    expect(exitCodeOfFindings([ok('node', ''), warn('token', '', '')])).toBe(0)
    expect(summaryOf([refusal, ok('node', '')])).toBe('1 right, 0 to look at, 1 wrong')
  })

  test('every error of the package has one', () => {
    const isClass = (value: unknown): value is new (sentence: string) => errors.GatewayError =>
      typeof value === 'function' && value.prototype instanceof errors.GatewayError
    const codes = Object.values<unknown>(errors)
      .filter(isClass)
      .map((Class) => new Class('sentence.'))
      // The bases of several classes have no code, and nothing is thrown as one.
      .filter((error) => error.code !== undefined)
      .map((error) => exitCodeOf(error))
    expect(codes).toHaveLength(18)
    expect(new Set(codes)).toEqual(new Set([1, 2, 3]))
  })

  test('anything else is a defect, and still one sentence', () => {
    expect(exitCodeOf(new TypeError('x'))).toBe(70)
    expect(sentenceOf(new TypeError('x'))).toBe('this is a defect of merchant-gateway, please report it: x')
  })
})

describe('text', () => {
  test('from elsewhere can not move the cursor, end the line or turn its direction', () => {
    expect(printable('a\u001b[2J\r\n\u009b\u202eé')).toBe('a\\u001b[2J\\u000d\\u000a\\u009b\\u202eé')
    const value = { text: '\u009b\u2028' }
    expect(jsonLine(value)).toBe('{"text":"\\u009b\\u2028"}')
    expect(JSON.parse(jsonLine(value))).toEqual(value)
  })

  test('for a shell is quoted where it has to be', () => {
    expect(shellQuoted('/tmp/a-b_c.pem')).toBe('/tmp/a-b_c.pem')
    expect(shellQuoted("a b'c")).toBe(`'a b'\\''c'`)
    expect(shellQuoted('')).toBe(`''`)
  })

  test('spans are said in two units at most', () => {
    expect([0, 999, 61_000, 3_600_000, 90_061_000].map(spanOf)).toEqual([
      '0 ms',
      '999 ms',
      '1 min 1 s',
      '1 h',
      '1 d 1 h',
    ])
  })

  test('has colours in a terminal that wants them', () => {
    expect(wantsColour(true, {})).toBe(true)
    expect(wantsColour(true, { NO_COLOR: '' })).toBe(true)
    expect(wantsColour(true, { NO_COLOR: '0' })).toBe(false)
    expect(wantsColour(true, { TERM: 'dumb' })).toBe(false)
    expect(wantsColour(false, {})).toBe(false)
    expect(painter(false)('red', 'x')).toBe('x')
  })
})
