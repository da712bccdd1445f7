import { type Decimal, exact, minus, nothing, plus, shortTextOf } from '../input/decimal.js'
import type { Balances } from './balances.js'
import type {
  BalanceMove,
  CurrencyReconciliation,
  KnownPayment,
  OpenPayment,
  SignedMoney,
  StatusChange,
} from './types.js'

/** One payment at the last run, if it was known then, and now. */
export interface Pair {
  readonly before: KnownPayment | undefined
  readonly now: KnownPayment
}

/** What payments have moved, the difference of what each is in the balance. */
export function movesOf(pairs: Iterable<Pair>): BalanceMove[] {
  const moves: BalanceMove[] = []
  for (const { before, now } of pairs) {
    const { kind, id, status } = now
    for (const of of ['payment', 'fee'] as const) {
      for (const money of differences(before?.[of], now[of])) {
        moves.push({ kind, id, ...(status === undefined ? {} : { status }), of, money })
      }
    }
  }
  return moves
}

function differences(before: SignedMoney | undefined, now: SignedMoney | undefined): SignedMoney[] {
  const sums = new Map<string, Decimal>()
  const add = (money: SignedMoney | undefined, amount: Decimal) => {
    if (money !== undefined)
      sums.set(money.currencyCode, plus(sums.get(money.currencyCode) ?? nothing, amount))
  }
  add(now, exact(now?.amount))
  add(before, minus(nothing, exact(before?.amount)))
  return [...sums]
    .filter(([, { units }]) => units !== 0n)
    .map(([currencyCode, amount]) => ({ amount: shortTextOf(amount), currencyCode }))
}

/**
 * The currencies from one run to the next, with what no payment explains.
 *
 * @param opening undefined at the first run, where nothing can be compared.
 */
export function currenciesOf(
  opening: Balances | undefined,
  closing: Balances,
  moves: readonly BalanceMove[],
): CurrencyReconciliation[] {
  const codes = [
    ...closing.keys(),
    ...(opening?.keys() ?? []),
    ...moves.map(({ money }) => money.currencyCode),
  ]
  return [...new Set(codes)].sort().map((currencyCode) => {
    const sumOf = (fits: (move: BalanceMove) => boolean) =>
      moves
        .filter((move) => opening !== undefined && move.money.currencyCode === currencyCode && fits(move))
        .reduce((sum, { money }) => plus(sum, exact(money.amount)), nothing)
    const payins = sumOf(({ of, kind }) => of === 'payment' && kind === 'payin')
    const payouts = sumOf(({ of, kind }) => of === 'payment' && kind === 'payout')
    const fees = sumOf(({ of }) => of === 'fee')
    const now = closing.get(currencyCode) ?? nothing
    const then = opening === undefined ? now : (opening.get(currencyCode) ?? nothing)
    const explained = [payins, payouts, fees].reduce(plus, then)
    return {
      currencyCode,
      opening: shortTextOf(then),
      payins: shortTextOf(payins),
      payouts: shortTextOf(payouts),
      fees: shortTextOf(fees),
      closing: shortTextOf(now),
      unexplained: shortTextOf(minus(now, explained)),
    }
  })
}

/** What was final and is not what it was. */
export function changesOf(pairs: Iterable<Pair>): StatusChange[] {
  return [...pairs]
    .filter(({ before, now }) => before?.final === true && before.status !== now.status)
    .map(({ before, now: { kind, id, status } }) => ({
      kind,
      id,
      ...(before?.status === undefined ? {} : { before: before.status }),
      ...(status === undefined ? {} : { now: status }),
    }))
}

/** What is not final, the oldest first. */
export function openOf(entries: Iterable<KnownPayment>, nowMs: number): OpenPayment[] {
  return [...entries]
    .filter(({ final }) => !final)
    .map(({ kind, id, status, since }) => ({
      kind,
      id,
      ...(status === undefined ? {} : { status }),
      ageMs: Math.max(0, nowMs - Date.parse(since)),
    }))
    .sort((a, b) => b.ageMs - a.ageMs)
}

/** The currencies of which two readings differ. */
export function movedBetween(before: Balances, after: Balances): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((code) => minus(before.get(code) ?? nothing, after.get(code) ?? nothing).units !== 0n)
    .sort()
}
