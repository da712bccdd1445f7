import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type PayoutLimits, readPolicy } from 'merchant-gateway-signer'
import { describe, expect, test } from 'vitest'
import { approvalIn, approvalLine } from '../src/approvals.js'
import { Counts } from '../src/counts.js'
import { decide } from '../src/decide.js'
import { amountText, microsOf, moneyText } from '../src/money.js'
import { tokenRequestOf } from '../src/token-request.js'
import { basePolicy, limits } from './thief.js'

/** The policy that docs/signer.md shows. */
const page = readFileSync(new URL('../../../docs/signer.md', import.meta.url), 'utf8')
const shown: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '')

const requestOf = (grant: object, nowMs: number, validitySecs = 900) =>
  tokenRequestOf(
    Buffer.from(
      JSON.stringify({
        merchantCode: 'sandbox-merchant',
        validitySecs,
        ...grant,
        timestamp: Math.floor(nowMs / 1000),
      }),
    ),
  )
const payoutOf = (id: string, amount: number, nowMs: number, validitySecs?: number) =>
  requestOf(
    { operations: [`POST /payouts/${id}`], money: { amount, currencyCode: 'EUR' } },
    nowMs,
    validitySecs,
  )

describe('a policy', () => {
  test('as the guide shows it can be read', () => {
    expect(readPolicy(shown)).toEqual(shown)
  })

  test.each<readonly [object, string]>([
    [{ mostInOne: '1' }, 'mostInOne'],
    [{ payouts: { EUR: { ...basePolicy.payouts.EUR, mostInDay: '1e9' } } }, 'payouts.EUR.mostInDay'],
    [{ payouts: { EUR: { ...basePolicy.payouts.EUR, mostInDay: 1000 } } }, 'payouts.EUR.mostInDay'],
    [{ payouts: { EUR: { mostInOne: '1' } } }, 'payouts.EUR.mostInHour'],
    [{ payouts: { eur: basePolicy.payouts.EUR } }, 'payouts'],
    [{ payouts: { EUR: { ...basePolicy.payouts.EUR, approvalAbove: '1' } } }, 'needs approvals'],
    [{ operations: ['POST /payins/.*|/payouts/.*'] }, 'operations.0'],
    [{ operations: ['GET /balances|/payouts/.*'] }, 'operations.0'],
    [{ ids: 'known-payouts.tsv' }, 'fields that are not known: ids'],
    [{ hours: { from: '8:00', to: '20:00' } }, 'hours.from'],
    [{ hours: { from: '08:00', to: '08:00' } }, 'hours'],
    [{ hours: { from: '08:00', to: '20:00', timeZone: 'Vienna' } }, 'hours.timeZone'],
    [{ policyVersion: 2 }, 'policyVersion'],
  ])('with %j is refused by its place', (change, place) => {
    const read = () => readPolicy({ ...basePolicy, ...change })
    expect(read).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(read).toThrow(place)
    expect(read).toThrow(/nothing is signed\.$/)
  })

  test.each([
    ['08:00', '20:00', '07:59', false],
    ['08:00', '20:00', '08:00', true],
    ['08:00', '20:00', '20:00', false],
    ['22:00', '06:00', '23:30', true],
    ['22:00', '06:00', '05:59', true],
    ['22:00', '06:00', '06:00', false],
  ])('from %s to %s allows payouts at %s: %s', (from, to, at, isAllowed) => {
    // Vienna is two hours ahead of UTC in summer.
    const nowMs = Date.parse(`2026-07-01T${at}:00+02:00`)
    const policy = { ...basePolicy, hours: { from, to, timeZone: 'Europe/Vienna' } }
    const facts = { policy, counts: new Counts(), nowMs, approvalOf: () => undefined }
    const { entry } = decide(payoutOf('w-1', 1, nowMs), facts)
    expect(entry.did).toBe(isAllowed ? 'allowed' : 'refused')
  })
})

describe('a payout above the limit for approvals', () => {
  const nowMs = Date.parse('2026-11-26T12:00:00Z')
  const policy = { ...basePolicy, payouts: { EUR: { ...limits, approvalAbove: '100' } } }

  test.each([
    ['w-1\t300\tEUR\t2026-11-26T11:00:00.000Z\n', true],
    ['w-1\t300.00\tEUR\t2026-11-25T12:00:00.000Z\n', true],
    ['w-1\t300\tEUR\t2026-11-25T11:59:59.999Z\n', false],
    ['w-1\t300\tEUR\t2026-11-26T12:05:00.000Z\n', false],
    [`w-1\t30${approvalLine('w-1', '300', 'EUR', nowMs)}`, true],
    ['w-1\t300\tEUR\n', false],
    ['w-1\n', false],
    ['w-1\t200\tEUR\t2026-11-26T11:00:00.000Z\n', false],
    ['w-1\t300\tUSD\t2026-11-26T11:00:00.000Z\n', false],
    ['w-2\t300\tEUR\t2026-11-26T11:00:00.000Z\n', false],
    ['w-1\t300\tEUR\t2026-11-26T11:00:00.000Z', false],
    ['w-1\t30\nw-1\t300\tEUR\t2026-11-26T11:00:00.000Z\n', true],
    ['w-1\t300\tEUR\t2026-11-26T11:00:00.000Z\nw-1\t200\tEUR\t2026-11-26T11:30:00.000Z\n', false],
  ])('by the line %j is signed: %s', (lines, isSigned) => {
    const facts = { policy, counts: new Counts(), nowMs, approvalOf: (id: string) => approvalIn(lines, id) }
    const { entry } = decide(payoutOf('w-1', 300, nowMs), facts)
    expect(entry.rule).toBe(isSigned ? undefined : 'approval')
  })
})

/** Whether one more payout passes a limit, with all that ended no longer than an hour or a day, and two minutes, before. */
function isPassed(
  { mostInHour, mostInDay, countInHour }: PayoutLimits,
  tokens: readonly { id: string; amount: number; until: number }[],
  { id, amount }: { id: string; amount: number },
  nowMs: number,
): boolean {
  const amountsSince = (windowMs: number) => {
    const counted = tokens.filter(({ until }) => until >= nowMs - windowMs - 60_000).map((token) => token.id)
    return [...new Set([id, ...counted])].map((one) =>
      Math.max(
        one === id ? amount : 0,
        ...tokens.filter((token) => token.id === one).map((token) => token.amount),
      ),
    )
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)
  const [hour, day] = [amountsSince(3_600_000), amountsSince(86_400_000)]
  return sum(hour) > Number(mostInHour) || sum(day) > Number(mostInDay) || hour.length > countInHour
}

test('in every window no more can move than the policy allows, whenever each token is used', () => {
  const asked = fc.record({
    id: fc.integer({ min: 0, max: 12 }).map((n) => `w-${n}`),
    amount: fc.integer({ min: 1, max: 600 }),
    validitySecs: fc.constantFrom(1, 60, 900),
    afterMs: fc.integer({ min: 0, max: 4 * 3_600_000 }),
  })
  const [hourMs, dayMs] = [3_600_000, 86_400_000]
  const policy = {
    ...basePolicy,
    payouts: { EUR: { mostInOne: '500', mostInHour: '700', mostInDay: '1000', countInHour: 3 } },
  }
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 60 }), (requests) => {
      const counts = new Counts()
      const lines: string[] = []
      const tokens: { id: string; amount: number; from: number; until: number }[] = []
      let nowMs = 1_800_000_000_000
      for (const { id, amount, validitySecs, afterMs } of requests) {
        nowMs += afterMs
        const facts = { policy, counts, nowMs, approvalOf: () => undefined }
        const { entry } = decide(payoutOf(id, amount, nowMs, validitySecs), facts)
        const line = counts.next(entry, nowMs)
        lines.push(line)
        counts.add(line)
        if (entry.until === undefined) {
          if (amount <= 500) expect(isPassed(policy.payouts.EUR, tokens, { id, amount }, nowMs)).toBe(true)
          continue
        }
        // At the latest moment that the gateway takes the request, and then for the token's life.
        tokens.push({ id, amount, from: nowMs, until: nowMs + (300 + validitySecs) * 1000 })
      }
      // A signer that starts anew counts the same by what was written.
      const read = new Counts()
      for (const line of lines) read.add(line)
      expect(read).toEqual(counts)
      for (const [windowMs, most, mostCount] of [
        [hourMs, 700, 3],
        [dayMs, 1000, Number.POSITIVE_INFINITY],
      ] as const) {
        for (const begin of tokens.map(({ until }) => until)) {
          const movable = new Map<string, number>()
          for (const { id, amount, from, until } of tokens) {
            if (until < begin || from > begin + windowMs) continue
            movable.set(id, Math.max(movable.get(id) ?? 0, amount))
          }
          expect([...movable.values()].reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(most)
          expect(movable.size).toBeLessThanOrEqual(mostCount)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('an amount is read exactly or not at all', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 999_999 }),
      (whole, millionths) => {
        const text = `${whole}.${String(millionths).padStart(6, '0')}`
        expect(microsOf(text)).toBe(BigInt(whole) * 1_000_000n + BigInt(millionths))
      },
    ),
  )
  for (const text of ['1e3', '+1', '-1', ' 1', '1.', '.5', '0x1', '1,5', '1.1234567', '1234567890123', '']) {
    expect(microsOf(text)).toBeUndefined()
  }
})

test.each([
  ['1250.5', 'EUR', '1250.50 EUR'],
  ['10', 'EUR', '10.00 EUR'],
  ['0.000001', 'EUR', '0.000001 EUR'],
  ['1000', 'JPY', '1000 JPY'],
  ['1.5', 'KWD', '1.500 KWD'],
])('%s %s is shown as %s', (text, currencyCode, shown) => {
  expect(moneyText(microsOf(text) ?? 0n, currencyCode)).toBe(shown)
  expect(amountText(microsOf(text) ?? 0n)).toBe(text)
})

test.each(['.*', 'a|POST /payouts/.*', 'a+', 'x/../../payouts/y', '!x', '..', '', '[a-z]'])(
  'a token for the payment %j is read by none, since a gateway may read the id as a pattern',
  (idPayment) => {
    expect(requestOf({ action: 'PAYIN_CREATE', idPayment: 'w-1' }, 1e12)).toBeDefined()
    expect(requestOf({ action: 'PAYIN_CREATE', idPayment }, 1e12)).toBeUndefined()
  },
)
