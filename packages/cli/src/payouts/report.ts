import { basename } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import { Totals } from '../files/totals.js'
import { fileProblem, writeInOnePiece } from '../files.js'
import { currencyText } from '../input/decimal.js'
import { printable } from '../text.js'
import { maskedPayee } from './line-record.js'
import { type Known, mayBeSent, type Outcome, type Results } from './results.js'
import { adviceOn, stateOf } from './states.js'

/**
 * A line of a report: what became of one payout, or the sums of what was paid in a currency (state `total`, without an
 * id). No account and no name is in it.
 */
export interface ReportLine extends Omit<Outcome, 'state'> {
  readonly state: string
  /** Absent where the file has the line no more. */
  readonly line?: number
  readonly idPayout?: string
  readonly amount?: string
  readonly currencyCode?: string
  /** Of a total: by how much the balance has become less, amounts and fees. */
  readonly charged?: string
  /** To whom it went, masked. */
  readonly payee?: string | undefined
  /** When the run began that sent it. */
  readonly run?: string | undefined
  readonly file?: string
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

/** A line for each payout of a file, in its order, and then for those that were sent and are in the file no more. */
export function* reportLines(
  path: string,
  lines: readonly SendableLine[],
  results: Results,
): Generator<ReportLine & { readonly idPayout: string }> {
  const file = basename(path)
  const seen = new Set<string>()
  for (const { line, request } of lines) {
    const { idPayout } = request
    const { amount, currencyCode } = request.paymentRequested.money
    const payee = maskedPayee(request.paymentMethod)
    seen.add(idPayout)
    const outcome = outcomeOf(results.known.get(idPayout), '')
    yield {
      line,
      idPayout,
      amount: currencyText(amount, currencyCode),
      currencyCode,
      payee,
      file,
      ...outcome,
    }
  }
  for (const [idPayout, known] of results.known) {
    if (seen.has(idPayout) || !mayBeSent(known)) continue
    const { amount, currencyCode, payee } = known.record
    const outcome = outcomeOf(known, ', and its line is in the file no more: put the line back and')
    yield { idPayout, amount, currencyCode, payee, file, ...outcome }
  }
}

function outcomeOf(known: Known | undefined, gone: string): ReportLine {
  const state = stateOf(known)
  const reason = `it may have been sent${gone || ':'} send the file again to know`
  return { run: known?.run, ...(state === 'unknown' ? { reason } : known?.outcome), state }
}

/** The sums of what was paid, by currency: what the balance has become less by. */
export function totalsOf(lines: Iterable<ReportLine>): ReportLine[] {
  const [amounts, fees, charged] = [new Totals(), new Totals(), new Totals()]
  for (const { state, amount, currencyCode, fee, feeCurrencyCode } of lines) {
    if (state !== 'paid' || amount === undefined || currencyCode === undefined) continue
    amounts.add(amount, currencyCode)
    charged.add(amount, currencyCode)
    if (fee === undefined) continue
    fees.add(fee, feeCurrencyCode ?? currencyCode)
    charged.add(fee, feeCurrencyCode ?? currencyCode)
  }
  return charged.list().map(({ currencyCode, amount }) => ({
    state: 'total',
    amount: amounts.of(currencyCode),
    currencyCode,
    fee: fees.of(currencyCode),
    feeCurrencyCode: currencyCode,
    charged: amount,
  }))
}

/** The lines that a person has to review, with what each state means. */
export function refusedLines<T extends ReportLine>(lines: Iterable<T>): (T & { readonly advice: string })[] {
  return [...lines].flatMap((line) => {
    const advice = adviceOn(line.state)
    return advice === undefined ? [] : [{ ...line, advice }]
  })
}

/** How a table is written, so that the program that made the file of payouts can read it. */
export interface TableStyle {
  /** What stands between the cells. */
  readonly delimiter: string
  readonly decimalComma: boolean
}

const amountColumns: ReadonlySet<string> = new Set(['amount', 'fee', 'charged'])

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
      return amountColumns.has(column) && decimalComma
        ? value.replace('.', ',')
        : withoutFormula(printable(value))
    })
    yield stringify([cells], { delimiter })
  }
}

/**
 * A cell that a spreadsheet would take for a formula gets an apostrophe, and so does a part of it that would be a cell
 * of its own for one that is set to another separator.
 */
export function withoutFormula(text: string): string {
  return text.replace(/(^|[,;"])(\s*[=+@\uff1d\uff0b\uff20\uff0d-])/g, "$1'$2")
}

/** The same as a JSON list, with one payout on each line. */
export function* jsonReport(lines: Iterable<ReportLine>): Generator<string> {
  let before = '[\n'
  for (const line of lines) {
    const shown = Object.fromEntries(columns.map((column) => [column, line[column]]))
    yield before + printable(JSON.stringify(shown))
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/**
 * Writes `BASE.csv` and `BASE.json`, each in one piece or not at all.
 *
 * @returns the two paths.
 */
export function writeReports(base: string, style: TableStyle, payouts: readonly ReportLine[]): string[] {
  const lines = [...payouts, ...totalsOf(payouts)]
  const files = [
    { path: `${base}.csv`, pieces: csvReport(lines, style) },
    { path: `${base}.json`, pieces: jsonReport(lines) },
  ]
  return files.map(({ path, pieces }) => {
    try {
      writeInOnePiece(path, pieces, 0o600)
      return path
    } catch (error) {
      throw new CommandFailed(
        `${path} ${fileProblem(error)}, so there is no report; the results are kept, and "payouts report" writes it.`,
        // Not that of a mistake before anything was sent.
        exitCodes.refused,
      )
    }
  })
}
