import { isGatewayError } from 'merchant-gateway'
import { CommandFailed } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import { type Io, printJson } from '../io.js'
import { countOf } from '../text.js'
import { check, type FileOptions } from './checked-file.js'
import { countsIn, payoutLines } from './plan.js'
import { reportLines, writeReports } from './report.js'
import { readResults, resultsPath } from './results.js'
import { advice, textOfCounts } from './states.js'

export interface ShowOptions extends FileOptions {
  readonly json?: true
  readonly out?: string
}

/** What the results file says of a file. Asks nobody, also while a run is under way. */
export async function show(
  what: 'status' | 'refused' | 'report',
  path: string,
  options: ShowOptions,
  io: Io,
): Promise<void> {
  const results = readResults(resultsPath(path))
  if (results === undefined) {
    await check(path, options)
    throw new CommandFailed(`nothing of ${path} was sent from here: there is no ${resultsPath(path)}.`)
  }
  const lines = payoutLines(await linesIfRight(path, options, io), results)
  const report = reportLines(path, lines, results)
  const print = (value: object, text: string) => (options.json === true ? printJson(io, value) : io.out(text))
  if (what === 'status') {
    const [payouts, counts] = [lines.length, countsIn(lines, results)]
    const found =
      payouts === 0
        ? `The gateway has accepted no payout of ${path}.`
        : `${countOf(payouts, 'payout')}: ${textOfCounts(counts)}.`
    print({ payouts, ...counts }, found)
  } else if (what === 'report') {
    const reports = writeReports(options.out ?? `${path}.report`, report)
    print({ reports }, `Report: ${reports.join(', ')}`)
  } else {
    let isAny = false
    for (const one of report) {
      const { line, idPayout, amount, currencyCode, reason = '' } = one
      const toDo = advice[one.state]
      const where = line === undefined ? '' : `line ${line}, `
      if (toDo === undefined) continue
      isAny = true
      print({ ...one, advice: toDo }, `${where}${idPayout}, ${amount} ${currencyCode}: ${toDo}. ${reason}`)
    }
    if (!isAny && options.json !== true) io.note(`No payout of ${path} needs a person.`)
  }
}

/** Results are shown in any case: the file itself may be gone when all is done. */
async function linesIfRight(path: string, options: ShowOptions, io: Io): Promise<readonly SendableLine[]> {
  try {
    return (await check(path, options)).lines()
  } catch (error) {
    if (!(error instanceof CommandFailed) && !isGatewayError(error)) throw error
    io.note(`${path} can't be read as it is now, so this shows only what was sent of it.`)
    return []
  }
}
