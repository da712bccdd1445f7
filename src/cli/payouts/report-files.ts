import { open, rename, rm } from 'node:fs/promises'
import type { SendableLine } from '../../payout-files/payout-file.js'
import { csvReport, jsonReport, type ReportLine } from '../../payout-files/report.js'
import { amountText } from '../../payout-files/totals.js'
import { CommandFailed } from '../exit-codes.js'
import { fileProblem } from '../files.js'
import { advice, stateOf } from './counts.js'
import type { Known, Results } from './results.js'

/**
 * A line for each payout of a file, in its order, and then for those that were sent and are in the file no
 * more. Neither account nor name is in it.
 */
export function* reportLines(
  lines: readonly SendableLine[],
  results: Results | undefined,
): Generator<ReportLine> {
  const seen = new Set<string>()
  for (const { line, request } of lines) {
    const { idPayout } = request
    const { amount, currencyCode } = request.paymentRequested.money
    seen.add(idPayout)
    yield { line, idPayout, amount: amountText(amount), currencyCode, ...outcomeOf(results?.get(idPayout)) }
  }
  for (const idPayout of results?.ids() ?? []) {
    const known = results?.get(idPayout)
    if (seen.has(idPayout) || known === undefined) continue
    const { amount, currencyCode } = known.asked
    yield { idPayout, amount, currencyCode, ...outcomeOf(known) }
  }
}

function outcomeOf(known: Known | undefined): Pick<ReportLine, 'state' | 'status' | 'reason'> {
  const state = stateOf(known)
  if (state === 'unknown') return { state, reason: 'it may have been sent: send the file again to know' }
  return { state, status: known?.ending?.status, reason: known?.ending?.reason }
}

/** The lines that a person has to look at, with what each state means. */
export function* refusedLines(
  lines: Iterable<ReportLine>,
): Generator<ReportLine & { readonly advice: string }> {
  for (const line of lines) {
    const { state } = line
    if (state === 'refused' || state === 'look' || state === 'conflict')
      yield { ...line, advice: advice[state] }
  }
}

/**
 * Writes `BASE.csv` and `BASE.json`, each in one piece or not at all.
 *
 * @param lines makes the lines anew for each of them.
 * @returns the two paths.
 */
export async function writeReports(
  base: string,
  lines: () => AsyncIterable<ReportLine> | Iterable<ReportLine>,
): Promise<readonly string[]> {
  const files = [
    { path: `${base}.csv`, pieces: csvReport(lines()) },
    { path: `${base}.json`, pieces: jsonReport(lines()) },
  ]
  for (const { path, pieces } of files) await writeInOnePiece(path, pieces)
  return files.map(({ path }) => path)
}

async function writeInOnePiece(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      for await (const piece of batches(pieces)) await file.appendFile(piece)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new CommandFailed(
      `${path} ${fileProblem(error)}, so there is no report; what was answered is kept, and "payouts report" writes it.`,
    )
  }
}

/** Pieces of some size: a hundred thousand small writes take their time. */
async function* batches(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let batch = ''
  for await (const piece of pieces) {
    batch += piece
    if (batch.length < 65_536) continue
    yield batch
    batch = ''
  }
  yield batch
}
