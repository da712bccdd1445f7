import { existsSync } from 'node:fs'
import { isGatewayError } from '../../index.js'
import type { PayoutFileFormat, SendableLine } from '../../payout-files/payout-file.js'
import type { ReportLine } from '../../payout-files/report.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { Io } from '../io.js'
import { countOf } from '../plural.js'
import { jsonLine, printable } from '../text.js'
import { check, linesOfFile, refuseUnlessFile } from './checked-file.js'
import { Counter, type Counts, stateOf, total } from './counts.js'
import { refusedLines, reportLines, writeReports } from './report-files.js'
import { type Results, resultsPath } from './results.js'
import { readResults } from './results-file.js'
import { textOfCounts } from './wording.js'

export interface ShowOptions {
  readonly format?: PayoutFileFormat
  readonly json?: true
  readonly out?: string
}

/** How far a file is, by its results file. Asks nobody, also while a run is under way. */
export async function showStatus(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const counts = countsOf(reportLines(lines, results), results)
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
  printRefused(refusedLines(reportLines(lines, results)), options, io)
  io.finish(exitCodes.ok)
}

/** Writes the report anew. */
export async function showReport(path: string, options: ShowOptions, io: Io): Promise<void> {
  const { lines, results } = await known(path, options, io)
  const reports = await writeReports(options.out ?? `${path}.report`, () => reportLines(lines, results))
  io.out(options.json === true ? jsonLine({ reports }) : printable(`Report: ${reports.join(', ')}`))
  io.finish(exitCodes.ok)
}

export function printRefused(
  lines: Iterable<ReportLine & { readonly advice: string }>,
  { json }: ShowOptions,
  io: Io,
): void {
  for (const line of lines) io.out(json === true ? jsonLine(line) : printable(textOfRefused(line)))
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
  const money = amount === undefined ? '' : `, ${amount} ${currencyCode}`
  return `${where}${idPayout}${money}: ${advice}. ${reason}`
}

function countsOf(lines: Iterable<ReportLine>, results: Results | undefined): Counts {
  const counter = new Counter()
  for (const { idPayout } of lines) counter.add(stateOf(results?.get(idPayout)))
  return counter.now
}

/** @throws {CommandFailed} when nothing was ever sent of the file. */
async function known(path: string, { format }: ShowOptions, io: Io) {
  // The file itself may be gone when all is done.
  if (!existsSync(resultsPath(path))) refuseUnlessFile(path, format)
  const found = await readResults(resultsPath(path))
  if (found === undefined) {
    throw new CommandFailed(`nothing of ${path} was sent from here: there is no ${resultsPath(path)}.`)
  }
  return { lines: await linesIfRight(path, format, io), results: found.results }
}

/** What was answered is shown in any case. */
async function linesIfRight(
  path: string,
  format: PayoutFileFormat | undefined,
  io: Io,
): Promise<readonly SendableLine[]> {
  try {
    return await linesOfFile(await check(path, format))
  } catch (error) {
    if (!(error instanceof CommandFailed) && !isGatewayError(error)) throw error
    io.note(`${path} can't be read as it is now, so this shows only what was sent of it.`)
    return []
  }
}
