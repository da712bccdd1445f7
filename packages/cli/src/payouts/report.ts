import { basename } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import { Totals } from '../files/totals.js'
import { fileProblem, writeInOnePiece } from '../files.js'
import { currencyText } from '../input/decimal.js'
import { printable, withoutFormula } from '../text.js'
import { maskedPayee } from './line-record.js'
import { type Known, mayBeSent, type Outcome, type Results } from './results.js'
import { stateOf } from './states.js'

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
    const { idPayout, paymentMethod } = request
    const { amount, currencyCode } = request.paymentRequested.money
    seen.add(idPayout)
    const outcome = outcomeOf(results.known.get(idPayout), ':')
    const money = { amount: currencyText(amount, currencyCode), currencyCode }
    yield { line, idPayout, ...money, payee: maskedPayee(paymentMethod), file, ...outcome }
  }
  for (const [idPayout, known] of results.known) {
    if (seen.has(idPayout) || !mayBeSent(known)) continue
    const { amount, currencyCode, payee } = known.record
    const outcome = outcomeOf(known, ', and its line is in the file no more: put the line back and')
    yield { idPayout, amount: currencyText(amount, currencyCode), currencyCode, payee, file, ...outcome }
  }
}

function outcomeOf(known: Known | undefined, gone: string): ReportLine {
  const state = stateOf(known)
  const reason = `it may have been sent${gone} send the file again to know`
  return { run: known?.run, ...(state === 'unknown' ? { reason } : known?.outcome), state }
}

/** The sums of what was paid, by currency: what the balance has become less by. */
function totalsOf(lines: Iterable<ReportLine>): ReportLine[] {
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

/** A report as CSV, piece by piece. */
function* csvReport(lines: Iterable<ReportLine>): Generator<string> {
  yield stringify([[...columns]])
  for (const line of lines) {
    const cells = columns.map((column) => {
      const value = line[column]
      return typeof value === 'string' ? withoutFormula(printable(value)) : value
    })
    yield stringify([cells])
  }
}

/** The same as a JSON list, with one payout on each line. */
function* jsonReport(lines: Iterable<ReportLine>): Generator<string> {
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
export function writeReports(base: string, payouts: readonly ReportLine[]): string[] {
  const lines = [...payouts, ...totalsOf(payouts)]
  const files = { [`${base}.csv`]: csvReport(lines), [`${base}.json`]: jsonReport(lines) }
  for (const [path, pieces] of Object.entries(files)) {
    try {
      writeInOnePiece(path, pieces, 0o600)
    } catch (error) {
      throw new CommandFailed(
        `${path} ${fileProblem(error)}, so there is no report; the results are kept, and "payouts report" writes it.`,
        // Not that of a mistake before anything was sent.
        exitCodes.refused,
      )
    }
  }
  return Object.keys(files)
}
