import { stringify } from 'csv-stringify/sync'

/** A line of a report: what became of one payout. No account and no name is in it. */
export interface ReportLine {
  /** Number of the line in the file; absent where the payout is in no file. */
  readonly line?: number | undefined
  readonly idPayout: string
  /** Decimal text in the currency's main unit. */
  readonly amount?: string | undefined
  readonly currencyCode?: string | undefined
  /** Where it stands. */
  readonly state: string
  /** The gateway's own word for that, once it has said one. */
  readonly status?: string | undefined
  /** Why it is not paid, where that is known. */
  readonly reason?: string | undefined
}

const columns = ['line', 'idPayout', 'amount', 'currencyCode', 'state', 'status', 'reason'] as const

/**
 * A report as CSV, piece by piece. A cell that a spreadsheet would take for a formula gets an apostrophe.
 */
export async function* csvReport(
  lines: AsyncIterable<ReportLine> | Iterable<ReportLine>,
): AsyncGenerator<string> {
  yield stringify([[...columns]])
  for await (const line of lines) {
    yield stringify([columns.map((column) => line[column])], { escape_formulas: true })
  }
}

/** The same as a JSON list, with one payout on each line. */
export async function* jsonReport(
  lines: AsyncIterable<ReportLine> | Iterable<ReportLine>,
): AsyncGenerator<string> {
  let before = '[\n'
  for await (const line of lines) {
    yield before + JSON.stringify(Object.fromEntries(columns.map((column) => [column, line[column]])))
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
