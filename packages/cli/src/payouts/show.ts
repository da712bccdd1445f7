import { isGatewayError } from 'merchant-gateway'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import type { Io } from '../io.js'
import { countOf, jsonLine, printable } from '../text.js'
import { check, type FileOptions } from './checked-file.js'
import { countsIn, payoutLines } from './plan.js'
import { reportLines, writeReports } from './report.js'
import { readResults, resultsPath } from './results.js'
import { advice, textOfCounts } from './states.js'

export interface ShowOptions extends FileOptions {
  readonly json?: true
  readonly out?: string
}

/** How far a file is, by its results file. Asks nobody, also while a run is under way. */
export async function showStatus(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const counts = countsIn(lines, results)
  const payouts = lines.length
  const text = `${countOf(payouts, 'payout')}: ${textOfCounts(counts)}.`
  io.out(options.json === true ? jsonLine({ payouts, ...counts }) : text)
  io.finish(exitCodes.ok)
}

/** The payouts that need a person, and why. */
export async function showRefused(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  for (const one of reportLines(path, lines, results)) {
    const what = advice[one.state]
    if (what === undefined) continue
    const { line, idPayout, amount, currencyCode, reason = '' } = one
    const where = line === undefined ? '' : `line ${line}, `
    const text = `${where}${idPayout}, ${amount} ${currencyCode}: ${what}. ${reason}`
    io.out(options.json === true ? jsonLine({ ...one, advice: what }) : printable(text))
  }
  io.finish(exitCodes.ok)
}

/** Writes the report anew. */
export async function showReport(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const reports = writeReports(options.out ?? `${path}.report`, reportLines(path, lines, results))
  io.out(options.json === true ? jsonLine({ reports }) : printable(`Report: ${reports.join(', ')}`))
  io.finish(exitCodes.ok)
}

/** @throws {CommandFailed} when nothing was ever sent of the file. */
async function known(path: string, options: ShowOptions, io: Io) {
  const results = readResults(resultsPath(path))
  if (results === undefined) {
    await check(path, options)
    throw new CommandFailed(`nothing of ${path} was sent from here: there is no ${resultsPath(path)}.`)
  }
  return { lines: payoutLines(await linesIfRight(path, options, io), results), results }
}

/** Results are shown in any case: the file itself may be gone when all is done. */
async function linesIfRight(path: string, options: ShowOptions, io: Io): Promise<readonly SendableLine[]> {
  try {
    return (await check(path, options)).lines()
  } catch (error) {
    if (!(error instanceof CommandFailed) && !isGatewayError(error)) throw error
    io.note(printable(`${path} can't be read as it is now, so this shows only what was sent of it.`))
    return []
  }
}
