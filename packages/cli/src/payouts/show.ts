import { existsSync } from 'node:fs'
import { isGatewayError } from '../../../../src/index.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import type { Io } from '../io.js'
import { countOf, jsonLine, printable } from '../text.js'
import { check, type FileOptions, linesOfFile, refuseUnlessFile, styleOf } from './checked-file.js'
import { Counter, stateOf, textOfCounts, total } from './counts.js'
import type { ReportLine } from './report.js'
import { refusedLines, reportLines, writeReports } from './report-files.js'
import { resultsPath } from './results.js'
import { readResults } from './results-file.js'

export interface ShowOptions extends FileOptions {
  readonly json?: true
  readonly out?: string
}

/** How far a file is, by its results file. Asks nobody, also while a run is under way. */
export async function showStatus(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const counter = new Counter()
  for (const { idPayout } of reportLines(path, lines, results)) counter.add(stateOf(results.get(idPayout)))
  const counts = counter.now
  io.out(
    options.json === true
      ? jsonLine({ payouts: total(counts), ...counts })
      : `${countOf(total(counts), 'payout')}: ${textOfCounts(counts)}.`,
  )
  io.finish(exitCodes.ok)
}

/** The payouts that need a person, and why. */
export async function showRefused(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  for (const line of refusedLines(reportLines(path, lines, results))) {
    io.out(options.json === true ? jsonLine(line) : printable(textOfRefused(line)))
  }
  io.finish(exitCodes.ok)
}

/** Writes the report anew. */
export async function showReport(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const base = options.out ?? `${path}.report`
  const reports = writeReports(base, styleOf(path, options), () => reportLines(path, lines, results))
  io.out(options.json === true ? jsonLine({ reports }) : printable(`Report: ${reports.join(', ')}`))
  io.finish(exitCodes.ok)
}

function textOfRefused({
  line,
  idPayout,
  amount,
  currencyCode,
  advice,
  reason = '',
}: ReportLine & { readonly advice: string }): string {
  const where = line === undefined ? '' : `line ${line}, `
  return `${where}${idPayout}, ${amount} ${currencyCode}: ${advice}. ${reason}`
}

/** @throws {CommandFailed} when nothing was ever sent of the file. */
async function known(path: string, options: ShowOptions, io: Io) {
  // The file itself may be gone when all is done.
  if (!existsSync(resultsPath(path))) refuseUnlessFile(path, options.format)
  const results = await readResults(resultsPath(path))
  if (results === undefined) {
    throw new CommandFailed(`nothing of ${path} was sent from here: there is no ${resultsPath(path)}.`)
  }
  return { lines: await linesIfRight(path, options, io), results }
}

/** What was answered is shown in any case. */
async function linesIfRight(path: string, options: ShowOptions, io: Io): Promise<readonly SendableLine[]> {
  try {
    return await linesOfFile(await check(path, options))
  } catch (error) {
    if (!(error instanceof CommandFailed) && !isGatewayError(error)) throw error
    io.note(printable(`${path} can't be read as it is now, so this shows only what was sent of it.`))
    return []
  }
}
