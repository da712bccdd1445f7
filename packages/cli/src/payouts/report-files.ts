import { basename } from 'node:path'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import { amountText, Totals } from '../files/totals.js'
import { fileProblem, writeInOnePiece } from '../files.js'
import { adviceOn, stateOf } from './counts.js'
import { maskedPayee } from './line-record.js'
import { csvReport, jsonReport, type ReportLine, type TableStyle } from './report.js'
import { type Known, mayBeSent, type Results } from './results.js'

/**
 * A line for each payout of a file, in its order, and then for those that were sent and are in the file no more.
 * Neither account nor name is in it.
 */
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
    const record = { amount: amountText(amount), currencyCode, payee }
    seen.add(idPayout)
    yield { line, idPayout, ...record, file, ...outcomeOf(results.get(idPayout), false) }
  }
  for (const [idPayout, known] of results.all) {
    if (seen.has(idPayout) || !mayBeSent(known)) continue
    const { amount, currencyCode, payee } = known.record
    yield { idPayout, amount, currencyCode, payee, file, ...outcomeOf(known, true) }
  }
}

function outcomeOf(known: Known | undefined, isGone: boolean) {
  const state = stateOf(known)
  const reason = isGone
    ? 'it may have been sent, and its line is in the file no more: put the line back and send the file again to know'
    : 'it may have been sent: send the file again to know'
  if (state === 'unknown') return { run: known?.run, state, reason }
  return { run: known?.run, ...known?.outcome, state }
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
  const of = (totals: Totals, code: string) =>
    totals.list().find(({ currencyCode }) => currencyCode === code)?.amount ?? '0'
  return charged.list().map(({ currencyCode, amount }) => ({
    state: 'total',
    amount: of(amounts, currencyCode),
    currencyCode,
    fee: of(fees, currencyCode),
    feeCurrencyCode: currencyCode,
    charged: amount,
  }))
}

/** The lines that a person has to look at, with what each state means. */
export function* refusedLines<T extends ReportLine>(
  lines: Iterable<T>,
): Generator<T & { readonly advice: string }> {
  for (const line of lines) {
    const advice = adviceOn(line.state)
    if (advice !== undefined) yield { ...line, advice }
  }
}

/**
 * Writes `BASE.csv` and `BASE.json`, each in one piece or not at all.
 *
 * @param lines makes the lines anew for each of them.
 * @returns the two paths.
 */
export function writeReports(
  base: string,
  style: TableStyle,
  lines: () => Iterable<ReportLine>,
): readonly string[] {
  const totals = totalsOf(lines())
  const all = function* () {
    yield* lines()
    yield* totals
  }
  const files = [
    { path: `${base}.csv`, pieces: csvReport(all(), style) },
    { path: `${base}.json`, pieces: jsonReport(all()) },
  ]
  return files.map(({ path, pieces }) => {
    try {
      writeInOnePiece(path, pieces, 0o600)
    } catch (error) {
      throw new CommandFailed(
        `${path} ${fileProblem(error)}, so there is no report; what was answered is kept, and "payouts report" writes it.`,
        // Not that of a mistake before anything was sent.
        exitCodes.refused,
      )
    }
    return path
  })
}
