import { type Decimal, minus, nothing, plus, shortTextOf } from '../../../../src/client/input/decimal.js'
import { exact } from './counting.js'
import type { BooksChange, BooksEntry, BooksMoney, BooksMove, CurrencyBooks, OpenPayment } from './types.js'

/** Balances by currency. */
export type Balances = ReadonlyMap<string, Decimal>

/** One payment at the last close, if it was known then, and now. */
export interface Pair {
  readonly before: BooksEntry | undefined
  readonly now: BooksEntry
}

/** What payments have moved, the difference of what each is in the balance. */
export function movesOf(pairs: Iterable<Pair>): BooksMove[] {
  const moves: BooksMove[] = []
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

function differences(before: BooksMoney | undefined, now: BooksMoney | undefined): BooksMoney[] {
  const sums = new Map<string, Decimal>()
  const add = (money: BooksMoney | undefined, amount: Decimal) => {
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
 * The currencies from one close to the next, with what no payment explains.
 *
 * @param opening undefined at the first close, where nothing can be compared.
 */
export function sheetOf(
  opening: Balances | undefined,
  closing: Balances,
  moves: readonly BooksMove[],
): CurrencyBooks[] {
  const codes = [
    ...closing.keys(),
    ...(opening?.keys() ?? []),
    ...moves.map(({ money }) => money.currencyCode),
  ]
  return [...new Set(codes)].sort().map((currencyCode) => {
    const sumOf = (fits: (move: BooksMove) => boolean) =>
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
export function changesOf(pairs: Iterable<Pair>): BooksChange[] {
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
export function openOf(entries: Iterable<BooksEntry>, nowMs: number): OpenPayment[] {
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
