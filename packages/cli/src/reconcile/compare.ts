import { currencyText, type Decimal, exact, minus, nothing, textOf } from '../input/decimal.js'
import { Sums } from '../input/sums.js'
import type { Row } from './rows.js'
import type { BalanceMove, CurrencyReconciliation, OpenPayment, SignedMoney, StatusChange } from './types.js'

/** What payments have moved, the difference of what each is in the balance. */
export function movesOf(rows: readonly Row[]): BalanceMove[] {
  return rows.flatMap(({ kind, id, before, now }) =>
    (['payment', 'fee'] as const).flatMap((of) =>
      differences(before?.[of], now?.[of]).map((money) => ({ kind, id, status: now?.status, of, money })),
    ),
  )
}

function differences(before: SignedMoney | undefined, now: SignedMoney | undefined): SignedMoney[] {
  const sums = new Sums()
  if (now !== undefined) sums.add(exact(now.amount), now.currencyCode)
  if (before !== undefined) sums.add(minus(nothing, exact(before.amount)), before.currencyCode)
  return sums.codes
    .filter((code) => sums.of(code).units !== 0n)
    .map((currencyCode) => ({
      amount: currencyText(textOf(sums.of(currencyCode)), currencyCode),
      currencyCode,
    }))
}

/**
 * The currencies from one run to the next, with what no payment explains.
 *
 * @param opening undefined at the first run, where nothing can be compared.
 */
export function currenciesOf(
  opening: Sums | undefined,
  closing: Sums,
  moves: readonly BalanceMove[],
): CurrencyReconciliation[] {
  const [payins, payouts, fees, explained] = [new Sums(), new Sums(), new Sums(), new Sums()]
  for (const { of, kind, money } of moves) {
    const part = of === 'fee' ? fees : kind === 'payin' ? payins : payouts
    for (const sums of [part, explained]) sums.add(exact(money.amount), money.currencyCode)
  }
  const before = opening ?? closing
  const codes = new Set([...closing.codes, ...before.codes, ...explained.codes])
  return [...codes].sort().map((currencyCode) => {
    const [now, then] = [closing.of(currencyCode), before.of(currencyCode)]
    const rest = minus(minus(now, then), explained.of(currencyCode))
    const text = (sum: Decimal) => currencyText(textOf(sum), currencyCode)
    return {
      currencyCode,
      opening: text(then),
      payins: text(payins.of(currencyCode)),
      payouts: text(payouts.of(currencyCode)),
      fees: text(fees.of(currencyCode)),
      closing: text(now),
      unexplained: rest.units === 0n ? '0' : text(rest),
    }
  })
}

/** What was final and is not what it was. */
export function changesOf(rows: readonly Row[]): StatusChange[] {
  return rows
    .filter(({ before, now }) => before?.final === true && before.status !== now?.status)
    .map(({ kind, id, before, now }) => ({ kind, id, before: before?.status, now: now?.status }))
}

/** What is not final, the oldest first. */
export function openOf(rows: readonly Row[], nowMs: number): OpenPayment[] {
  return rows
    .flatMap(({ now }) => (now === undefined || now.final ? [] : [now]))
    .map(({ kind, id, status, since }) => ({
      kind,
      id,
      status,
      ageMs: Math.max(0, nowMs - Date.parse(since)),
    }))
    .sort((a, b) => b.ageMs - a.ageMs)
}

/** The currencies of which two readings differ. */
export function movedBetween(before: Sums, after: Sums): string[] {
  return [...new Set([...before.codes, ...after.codes])]
    .filter((code) => minus(before.of(code), after.of(code)).units !== 0n)
    .sort()
}
