import { currencyText, Sums, unitsOf } from '../input/amounts.js'
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
  if (now !== undefined) sums.add(now.amount, now.currencyCode)
  if (before !== undefined) sums.add(-(unitsOf(before.amount) ?? 0n), before.currencyCode)
  return sums.codes
    .filter((code) => sums.of(code) !== 0n)
    .map((currencyCode) => ({ amount: sums.textOf(currencyCode), currencyCode }))
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
    for (const sums of [part, explained]) sums.add(money.amount, money.currencyCode)
  }
  const before = opening ?? closing
  const codes = new Set([...closing.codes, ...before.codes, ...explained.codes])
  return [...codes].sort().map((currencyCode) => {
    const rest = closing.of(currencyCode) - before.of(currencyCode) - explained.of(currencyCode)
    return {
      currencyCode,
      opening: before.textOf(currencyCode),
      payins: payins.textOf(currencyCode),
      payouts: payouts.textOf(currencyCode),
      fees: fees.textOf(currencyCode),
      closing: closing.textOf(currencyCode),
      unexplained: rest === 0n ? '0' : currencyText(rest, currencyCode),
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
    .filter((code) => before.of(code) !== after.of(code))
    .sort()
}
