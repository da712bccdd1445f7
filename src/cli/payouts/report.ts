import { stringify } from 'csv-stringify/sync'
import { visible } from '../../client/input/visible.js'

/** A line of a report: what became of one payout. No account and no name is in it. */
export interface ReportLine {
  /** Number of the line in the file; absent where the payout is in no file, and for a total. */
  readonly line?: number | undefined
  /** Absent for a total. */
  readonly idPayout?: string | undefined
  /** Decimal text in the currency's main unit. */
  readonly amount?: string | undefined
  readonly currencyCode?: string | undefined
  /** Where it stands; `total` for the sums of what was paid in a currency. */
  readonly state: string
  /** The gateway's own word for that, once it has said one. */
  readonly status?: string | undefined
  /** Why it is not paid, where that is known. */
  readonly reason?: string | undefined
  /** What the gateway took for it. */
  readonly fee?: string | undefined
  readonly feeCurrencyCode?: string | undefined
  /** Of a total: by how much the balance has become less, amounts and fees. */
  readonly charged?: string | undefined
  /** Whom it went to, masked. */
  readonly payee?: string | undefined
  /** The gateway's own reference, where it shows one. */
  readonly reference?: string | undefined
  /** When the gateway accepted and processed it. */
  readonly createdAt?: string | undefined
  readonly processedAt?: string | undefined
  /** When the run began that sent it. */
  readonly run?: string | undefined
  /** Name of the file. */
  readonly file?: string | undefined
}

const columns = [
  'line',
  'idPayout',
  'amount',
  'currencyCode',
  'state',
  'status',
  'reason',
  'fee',
  'feeCurrencyCode',
  'charged',
  'payee',
  'reference',
  'createdAt',
  'processedAt',
  'run',
  'file',
] as const satisfies readonly (keyof ReportLine)[]

const amounts: ReadonlySet<string> = new Set(['amount', 'fee', 'charged'])

/** How a table is written, so that the program that made the file of payouts can read it. */
export interface TableStyle {
  /** What stands between the cells. */
  readonly delimiter: string
  readonly decimalComma: boolean
}

/** A report as CSV, piece by piece. */
export function* csvReport(
  lines: Iterable<ReportLine>,
  { delimiter, decimalComma }: TableStyle,
): Generator<string> {
  yield stringify([[...columns]], { delimiter })
  for (const line of lines) {
    const cells = columns.map((column) => {
      const value = line[column]
      if (typeof value !== 'string') return value
      return amounts.has(column) && decimalComma ? value.replace('.', ',') : withoutFormula(visible(value))
    })
    yield stringify([cells], { delimiter })
  }
}

/**
 * A cell that a spreadsheet would take for a formula gets an apostrophe, and so does a part of it that would be a
 * cell of its own for one that is set to another separator.
 */
export function withoutFormula(text: string): string {
  return text.replace(/(^|[,;"])(\s*[=+@\uff1d\uff0b\uff20\uff0d-])/g, "$1'$2")
}

/** The same as a JSON list, with one payout on each line. */
export function* jsonReport(lines: Iterable<ReportLine>): Generator<string> {
  let before = '[\n'
  for (const line of lines) {
    const shown = Object.fromEntries(columns.map((column) => [column, line[column]]))
    yield before + visible(JSON.stringify(shown))
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
