import { expect, test } from 'vitest'
import { exitCodeOfFindings, fail, type Judged, ok, summaryOf, warn } from '../../src/doctor/finding.js'
import { judgeClock, judgeRate, judgeVersion } from '../../src/doctor/reach.js'
import { judgeFamily } from '../../src/doctor/rights.js'
import { judgeAddress, judgeNode } from '../../src/doctor/settings.js'
import { exitCodes } from '../../src/exit-codes.js'

const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
type Code = Parameters<typeof judgeFamily>[1][number][1]['code']
const family = (name: string, code: Code) => judgeFamily(name, [['GET /x', { code, said: 'x' }]])

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
