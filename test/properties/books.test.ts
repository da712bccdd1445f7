import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryOf, type Seen } from '../../packages/cli/src/books/counting.js'
import { movesOf, type Pair, sheetOf } from '../../packages/cli/src/books/sheet.js'
import type { BalanceCounts } from '../../packages/cli/src/books/types.js'

const currencies = ['EUR', 'JPY', 'USD'] as const
const decimals = 3

const decimal = (units: bigint) => ({ units, decimals })
const cents = (most: number) => fc.bigInt({ min: 1n, max: BigInt(most) })
const currency = fc.constantFrom(...currencies)

const states = ['unknown', 'pending', 'paid', 'failed'] as const
type State = (typeof states)[number]

const history = fc.record({
  kind: fc.constantFrom('payin', 'payout'),
  currencyCode: currency,
  units: cents(1_000_000_000),
  feeUnits: fc.option(cents(5_000), { nil: undefined }),
  before: fc.constantFrom(...states),
  now: fc.constantFrom(...states.slice(1)),
} as const)
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const counts: fc.Arbitrary<BalanceCounts> = fc.record({
  pendingPayins: fc.boolean(),
  pendingPayouts: fc.boolean(),
  fees: fc.constantFrom('with-payment', 'kept', 'apart'),
})

function seenAs({ kind, currencyCode, units, feeUnits }: History, id: string, state: State): Seen {
  return {
    kind,
    id,
    status: state,
    paid: state === 'paid',
    final: state !== 'pending',
    since: '2026-11-01T00:00:00.000Z',
    wasPaid: false,
    money: { amount: decimal(units), currencyCode },
    ...(feeUnits === undefined ? {} : { fee: { amount: decimal(feeUnits), currencyCode } }),
  }
}

/** A gateway that moves a balance as the payment passes through its states, written without the books. */
function movedBy(one: History, { pendingPayins, pendingPayouts, fees }: BalanceCounts): bigint {
  const { kind, units, feeUnits = 0n } = one
  const isIn = (state: State) =>
    state === 'paid' || (state === 'pending' && (kind === 'payin' ? pendingPayins : pendingPayouts) === true)
  // What is failed now and was not known before has been pending, unless it is gone already.
  const path: State[] = one.before === 'unknown' ? ['unknown', 'pending', one.now] : [one.before, one.now]
  const hadFee = (state: State) => isIn(state) || (state === 'failed' && kind === 'payout' && pendingPayouts)
  let balance = 0n
  let keptFee = fees === 'kept' && hadFee(one.before) === true
  for (const [index, state] of path.slice(1).entries()) {
    const was = isIn(path[index] ?? 'unknown')
    const is = isIn(state)
    if (was !== is) balance += (is ? 1n : -1n) * (kind === 'payin' ? units : -units)
    if (fees === 'with-payment' && was !== is) balance -= is ? feeUnits : -feeUnits
    if (fees === 'kept' && is && !keptFee) {
      keptFee = true
      balance -= feeUnits
    }
  }
  return balance
}

test('what no payment explains is exactly the planted ones, in each currency, and zero where none was planted', () => {
  fc.assert(
    fc.property(
      fc.array(history, { maxLength: 60 }),
      fc.array(fc.record({ currencyCode: currency, units: fc.bigInt({ min: -9_999n, max: 9_999n }) }), {
        maxLength: 3,
      }),
      fc.array(fc.bigInt({ min: -1_000_000n, max: 10n ** 14n }), { minLength: 3, maxLength: 3 }),
      counts,
      (histories, planted, starts, balanceCounts) => {
        // A payin that pends and counts takes its fee then; one that was never in has none.
        const usable = histories.filter(
          ({ kind, before, now }) =>
            !(balanceCounts.fees === 'kept' && kind === 'payin' && before === 'unknown' && now === 'failed'),
        )
        const pairs: Pair[] = usable.map((one, index) => {
          const before =
            one.before === 'unknown'
              ? undefined
              : entryOf(seenAs(one, `${index}`, one.before), undefined, balanceCounts)
          return { before, now: entryOf(seenAs(one, `${index}`, one.now), before, balanceCounts) }
        })
        const opening = new Map(currencies.map((code, at) => [code, decimal(starts[at] ?? 0n)]))
        const closing = new Map(
          currencies.map((code, at) => {
            const known = usable.filter(({ currencyCode }) => currencyCode === code)
            const sum = known.reduce((all, one) => all + movedBy(one, balanceCounts), starts[at] ?? 0n)
            return [code, decimal(plantedIn(code) + sum)] as const
          }),
        )
        function plantedIn(code: string): bigint {
          return planted
            .filter(({ currencyCode }) => currencyCode === code)
            .reduce((sum, { units }) => sum + units, 0n)
        }
        for (const { currencyCode, unexplained } of sheetOf(opening, closing, movesOf(pairs))) {
          expect(Math.round(Number(unexplained) * 10 ** decimals)).toBe(Number(plantedIn(currencyCode)))
        }
      },
    ),
  )
})
