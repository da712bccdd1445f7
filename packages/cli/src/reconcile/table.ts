import { stringify } from 'csv-stringify/sync'
import { currencyText } from '../input/amounts.js'
import { countOf, printable, spanOf, withoutFormula } from '../text.js'
import type { BalancesReconciled, CurrencyReconciliation } from './types.js'

const columns = ['currencyCode', 'what', 'kind', 'id', 'status', 'amount']

/**
 * What was found as a table in CSV: of each currency the opening balance, what each payment has moved, what nobody can
 * explain, and the closing balance, which is the sum of the lines above it.
 */
export function tableOf({ currencies, moves }: BalancesReconciled): string {
  const rows = currencies.flatMap(({ currencyCode, opening, closing, unexplained }) => {
    const row = (what: string, amount: string, of: readonly string[] = ['', '', '']) => [
      currencyCode,
      what,
      ...of.map((text) => withoutFormula(printable(text))),
      currencyText(amount, currencyCode),
    ]
    const moved = moves
      .filter(({ money }) => money.currencyCode === currencyCode)
      .map(({ kind, id, status = '', of, money }) => row(of, money.amount, [kind, id, status]))
    const rest = unexplained === '0' ? [] : [row('unexplained', unexplained)]
    return [row('opening', opening), ...moved, ...rest, row('closing', closing)]
  })
  return stringify([columns, ...rows])
}

const sums = ['opening', 'payins', 'payouts', 'fees', 'unexplained', 'closing'] as const

export function summaryOf({ currencies, changed, open }: BalancesReconciled): string[] {
  const rows = [
    ['', ...sums],
    ...currencies.map((one) => [
      one.currencyCode,
      ...sums.map((sum) => currencyText(one[sum], one.currencyCode)),
    ]),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const table = rows.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '))
  const changes = changed.map(
    ({ kind, id, before = 'no status', now = 'no status' }) => `${kind} ${id} was ${before} and is ${now}`,
  )
  const oldest = open
    .slice(0, 1)
    .map(
      ({ kind, id, ageMs }) =>
        `${countOf(open.length, 'payment')} not final, the oldest for ${spanOf(ageMs)}: ${kind} ${id}`,
    )
  return [...table, ...changes, ...oldest]
}

/** Each currency that doesn't add up, as a sentence. */
export function sentenceOfUnexplained(currencies: readonly CurrencyReconciliation[]): string {
  const amounts = currencies
    .filter(({ unexplained }) => unexplained !== '0')
    .map(({ unexplained, currencyCode }) => `${currencyText(unexplained, currencyCode)} ${currencyCode}`)
  return `no payment that you know explains ${amounts.join(', ')}; ask the platform which payment it was; if it took money, stop payouts until you know who made it.`
}
