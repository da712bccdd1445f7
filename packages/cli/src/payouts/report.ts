import { stringify } from 'csv-stringify/sync'
import { visible } from '../../../../src/client/input/visible.js'
import type { RefusedLine } from '../command-output.js'

/**
 * A line of a report: what became of one payout, or the sums of what was paid in a currency (state `total`, without an
 * id). No account and no name is in it.
 */
export type ReportLine = Partial<Omit<RefusedLine, 'advice'>> &
  Pick<RefusedLine, 'state'> & {
    /** Of a total: by how much the balance has become less, amounts and fees. */
    readonly charged?: string
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
