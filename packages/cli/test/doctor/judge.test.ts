import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  exitCodeOfFindings,
  fail,
  type Judged,
  linesOf,
  ok,
  summaryOf,
  warn,
} from '../../src/doctor/finding.js'
import { type CheckResult, Gateway } from '../../src/doctor/gateway.js'
import { judgeClock, judgeRate, judgeVersion } from '../../src/doctor/reach.js'
import { judgeFamily } from '../../src/doctor/rights.js'
import { judgeAddress, judgeNode } from '../../src/doctor/settings.js'
import { exitCodes } from '../../src/exit-codes.js'

const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
const family = (name: string, code: CheckResult['code']) =>
  judgeFamily(name, [['GET /x', { code, said: 'x' }]])

test.each<[string, Judged, Judged['verdict'], string?]>([
  ['Node 20.19.0', judgeNode('20.19.0'), 'ok'],
  ['Node 22.1.0', judgeNode('22.1.0'), 'ok'],
  ['Node 20.18.3', judgeNode('20.18.3'), 'fail'],
  ['Node 18.20.0', judgeNode('18.20.0'), 'fail'],
  ['a clock that is right', judgeClock(0), 'ok'],
  ['a clock 5 s behind', judgeClock(-5000), 'ok'],
  ['a clock more than 5 s ahead', judgeClock(5001), 'warn', ' ahead of the'],
  ['a clock less than a minute behind', judgeClock(-59_999), 'warn', ' behind the'],
  ['a clock a minute ahead', judgeClock(60_000), 'fail'],
  ['a clock with nothing to compare it with', judgeClock(undefined), 'warn'],
  ['401 without a token', judgeVersion(401), 'ok'],
  ['403 without a token', judgeVersion(403), 'ok'],
  ['404 without a token', judgeVersion(404), 'fail'],
  ['301 without a token', judgeVersion(301), 'fail'],
  ['200 without a token', judgeVersion(200), 'warn'],
  ['429 without a token', judgeVersion(429), 'warn'],
  ['503 without a token', judgeVersion(503), 'warn'],
  ['a family that is allowed', family('payouts', 'none'), 'ok'],
  ['a payment that is not there', family('payouts', 'not_found'), 'ok'],
  ['balances that are not there', family('account', 'not_found'), 'warn'],
  ['a family that is not allowed', family('payouts', 'permission'), 'fail'],
  ['a family at a gateway that fails', family('payouts', 'server'), 'warn'],
  ['a family that nobody answers for', family('payouts', 'timeout'), 'fail'],
  ['https', judgeAddress(new URL('https://gateway.example'), {}), 'ok', 'https, host gateway.example'],
  ['https unchecked', judgeAddress(new URL('https://gateway.example'), unchecked), 'fail'],
  ['http here', judgeAddress(new URL('http://127.0.0.1:4010'), {}), 'ok'],
  ['http elsewhere, where it is allowed', judgeAddress(new URL('http://gateway.example'), {}), 'warn'],
  ['a pair of which one was refused', judgeRate({ answered: 12, refused: 0 }, true), 'warn', 'evenly'],
  ['slow requests that were refused', judgeRate({ answered: 12, refused: 4 }), 'warn', '4 of 12 requests'],
  ['a pair that was taken', judgeRate({ answered: 12, refused: 0 }, false), 'ok', 'and two at once'],
  ['one request', judgeRate({ answered: 1, refused: 0 }), 'ok', '1 request at no more than 8 a second, none'],
])('%s', (_what, { verdict, message }, expected, words = '') => {
  expect(verdict).toBe(expected)
  expect(message).toContain(words)
})

test.each([40, 60, 80, 100])('a finding in %s columns breaks no word', (columns) => {
  const message = `RSA, 2048 bits, SHA-256 of the public half ${'0123456789abcdef'.repeat(4)}; its file is open to others`
  const fix = 'chmod 600 the file, and see to it that nobody else has read what stands in it before.'
  const lines = linesOf({ check: 'key', ...warn(message, fix) }, columns)
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')
  expect(words(lines.join(' '))).toEqual(['warn', 'key', ...words(message), '->', ...words(fix)])
  const tooWide = lines.filter(({ length }) => length > columns)
  // Only a word that is longer than a line by itself.
  expect(tooWide.every((line) => words(line).length === 1 && columns < 70)).toBe(true)
})

test('a finding is one line, and one for its fix, where lines may be long', () => {
  const long = 'word '.repeat(100).trim()
  expect(linesOf({ check: 'key', ...warn(long, long) }, Number.POSITIVE_INFINITY)).toEqual([
    `warn  key           ${long}`,
    `                    -> ${long}`,
  ])
})

test('settings go before the network, and that before a refusal', () => {
  const of = (...judged: readonly Judged[]) => judged.map((one) => ({ check: 'x', ...one }))
  const settings = fail('', '', exitCodes.usage)
  const network = fail('', '', exitCodes.unreachable)
  const refusal = fail('', '')
  expect(exitCodeOfFindings(of(refusal, network, settings))).toBe(2)
  expect(exitCodeOfFindings(of(refusal, network))).toBe(3)
  expect(exitCodeOfFindings(of(refusal, warn('', '')))).toBe(1)
  expect(exitCodeOfFindings(of(ok(''), warn('', '')))).toBe(0)
  expect(summaryOf(of(refusal, ok('')))).toBe('1 passed, 0 warnings, 1 failed')
})

describe('requests to the gateway', () => {
  const gatewayOf = (status: () => number) => {
    const url = new URL('https://gateway.invalid')
    return new Gateway(url, {}, async () => new Response(null, { status: status() }))
  }

  test('are never more than eight a second, however many are asked at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sentAt: number[] = []
    const gateway = gatewayOf(() => (sentAt.push(performance.now()) === 2 ? 429 : 200))
    let isDone = false
    void Promise.all([1, 2, 3, 4].map(() => gateway.knock())).then(() => {
      isDone = true
    })
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(5)
      // What a client does in between needs no time, and real turns.
      await new Promise(setImmediate)
    }
    expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 125, 250, 375])
    expect(gateway.counts).toEqual({ answered: 4, refused: 1 })
  })

  test.each([
    [[401, 429], true],
    [[429, 401], true],
    [[401, 401], false],
    [[429, 429], false],
    [[401, 0], undefined],
  ])('two at once that are answered %j', async (statuses, refused) => {
    const left = [...statuses]
    const gateway = gatewayOf(() => {
      const status = left.shift() ?? 500
      if (status === 0) throw new Error('no response')
      return status
    })
    expect(await gateway.refusesTwoAtOnce()).toBe(refused)
  })
})
