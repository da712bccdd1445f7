import type { FileHandle } from 'node:fs/promises'
import { openRegularFile } from '../../../../src/client/input/regular-file.js'
import { InvalidInputError, type PayoutCreateInput } from '../../../../src/index.js'
import { checkLine, type PayoutFileLine } from './check-line.js'
import { type Candidate, candidatesOfCsv } from './csv.js'
import { type LineProblem, linesOf } from './lines.js'
import { candidatesOfNdjson } from './ndjson.js'
import { type CurrencyTotal, Totals } from './totals.js'

export type { CurrencyTotal, LineProblem }

/** How the payouts of a file are written: as a table, or a request in JSON on each line. */
export type PayoutFileFormat = 'csv' | 'ndjson'

/** A request that has the id without which it can't be repeated. */
export type PayoutRequest = PayoutCreateInput & {
  /** Your id of the payout. */
  idPayout: string
}

/** A line of a file that is right. */
export interface SendableLine {
  /** Number of the line; 1 is the first of the file. */
  readonly line: number
  /** The request as `payouts.create` takes it. */
  readonly request: PayoutRequest
}

/** A file of payouts of which every line has been looked at. */
export interface PayoutFile {
  /** Where it is. */
  readonly path: string
  /** How it was read. */
  readonly format: PayoutFileFormat
  /** How many lines hold a payout that is right. */
  readonly payouts: number
  /** What those come to, by currency. */
  readonly totals: readonly CurrencyTotal[]
  /** The first lines that are wrong, 100 at most. */
  readonly problems: readonly LineProblem[]
  /** How many lines are wrong. */
  readonly problemCount: number
  /** How many payouts have no id of their own. They can't be sent: again, they would be other payouts. */
  readonly withoutId: number
  /**
   * The payouts one after the other, read from the file again, so that a million of them take no memory.
   *
   * @throws {InvalidInputError} when lines are wrong or without ids, or the file has changed meanwhile.
   */
  lines(): AsyncGenerator<SendableLine>
  /** The same without the numbers of the lines: what `addAll` of a queue takes. */
  requests(): AsyncGenerator<PayoutRequest>
}

/** How many bad lines are kept to be shown. */
const mostProblems = 100

/**
 * Reads a whole file of payouts and sends nothing: what is wrong in it is said with the number of the line,
 * before the first payout is sent. Reasons show no account and no name.
 *
 * A CSV file is UTF-8, its cells are divided by commas, semicolons or tabs, and its first line names the
 * columns: `idPayout`, `amount`, `currencyCode`, `paymentMethodCode`, `paymentOperatorCode`, `accountName`,
 * `accountNumber`, `emailAddress`, `callbackUrl`, or the paths of these in the request, such as
 * `money.amount`. An NDJSON file has a request of `payouts.create` on each line. Amounts are in the
 * currency's main unit, with a decimal point.
 *
 * @param path of the file; its end says the format: `.csv`, or `.ndjson` or `.jsonl`.
 * @param options the format, where the end of the name doesn't say it; and for CSV, whether its amounts have a
 * decimal comma.
 * @throws {InvalidInputError} when the format is unknown; and what the file system says, with the code
 * `NOT_A_FILE` for a pipe or a device, which may never end.
 * @example
 * const file = await checkPayoutFile('payouts.csv')
 * for (const { line, reason } of file.problems) console.error(`line ${line}: ${reason}`)
 * if (file.problemCount === 0) await queue.addAll(file.requests())
 */
export async function checkPayoutFile(
  path: string,
  options: {
    readonly format?: PayoutFileFormat | undefined
    /** Amounts of a CSV file are written `10,50`; a point is refused then. Default false. */
    readonly decimalComma?: boolean | undefined
  } = {},
): Promise<PayoutFile> {
  const format = options.format ?? formatOf(path)
  const decimalComma = options.decimalComma === true
  const problems: LineProblem[] = []
  const totals = new Totals()
  const counts = { payouts: 0, problemCount: 0, withoutId: 0 }
  const file = await openRegularFile(path)
  try {
    const state = await stateOf(file)
    for await (const found of withoutDoubles(checkedLines(file, format, decimalComma))) {
      if ('reason' in found) {
        counts.problemCount++
        if (problems.length < mostProblems) problems.push(found)
        continue
      }
      counts.payouts++
      if (found.request.idPayout === undefined) counts.withoutId++
      const { amount, currencyCode } = found.request.paymentRequested.money
      totals.add(amount, currencyCode)
    }
    if ((await stateOf(file)) !== state) throw changed(path)
    const checked = { path, format, decimalComma, problems, totals: totals.list(), ...counts }
    const lines = () => sendable(checked, state)
    const { decimalComma: _, ...shown } = checked
    return { ...shown, lines, requests: () => requestsOf(lines()) }
  } finally {
    await file.close()
  }
}

function formatOf(path: string): PayoutFileFormat {
  if (/\.(?:ndjson|jsonl)$/i.test(path)) return 'ndjson'
  if (/\.csv$/i.test(path)) return 'csv'
  throw new InvalidInputError(
    'the name of the file ends neither in .csv nor in .ndjson or .jsonl, so give its format; nothing was sent.',
    { field: 'format' },
  )
}

async function* checkedLines(
  file: FileHandle,
  format: PayoutFileFormat,
  decimalComma: boolean,
): AsyncGenerator<PayoutFileLine | LineProblem> {
  // By the handle, so that both passes and what was asked of it speak of the same file.
  const lines = linesOf(file.createReadStream({ start: 0, autoClose: false }))
  const candidates: AsyncGenerator<Candidate | LineProblem> =
    format === 'csv' ? candidatesOfCsv(lines, decimalComma) : candidatesOfNdjson(lines)
  for await (const found of candidates) yield 'reason' in found ? found : checkLine(found)
}

/** A second payout under the same id would never be made, and nobody would notice. */
async function* withoutDoubles(
  lines: AsyncIterable<PayoutFileLine | LineProblem>,
): AsyncGenerator<PayoutFileLine | LineProblem> {
  const seen = new Map<string, number>()
  for await (const found of lines) {
    const id = 'reason' in found ? undefined : found.request.idPayout
    const first = id === undefined ? undefined : seen.get(id)
    if (first !== undefined) {
      yield {
        line: found.line,
        reason: `idPayout is that of line ${first}; each payout needs an id of its own.`,
      }
      continue
    }
    if (id !== undefined) seen.set(id, found.line)
    yield found
  }
}

type Checked = Pick<PayoutFile, 'path' | 'format' | 'problems' | 'problemCount' | 'withoutId'> & {
  readonly decimalComma: boolean
}

async function* sendable(
  { path, format, decimalComma, problems, problemCount, withoutId }: Checked,
  state: string,
): AsyncGenerator<SendableLine> {
  const [problem] = problems
  if (problem !== undefined) {
    throw new InvalidInputError(
      `line ${problem.line} is wrong: ${problem.reason} ${problemCount - 1} more are; nothing of this file was sent.`,
    )
  }
  if (withoutId > 0) {
    throw new InvalidInputError(
      `${counted(withoutId, 'payout')} without an idPayout, and a second run would pay them twice; nothing of this file was sent.`,
    )
  }
  const file = await openRegularFile(path)
  try {
    if ((await stateOf(file)) !== state) throw changed(path)
    for await (const found of checkedLines(file, format, decimalComma)) {
      const idPayout = 'reason' in found ? undefined : found.request.idPayout
      if ('reason' in found || idPayout === undefined) throw changed(path)
      yield { line: found.line, request: { ...found.request, idPayout } }
    }
    if ((await stateOf(file)) !== state) throw changed(path)
  } finally {
    await file.close()
  }
}

async function* requestsOf(lines: AsyncIterable<SendableLine>): AsyncGenerator<PayoutRequest> {
  for await (const { request } of lines) yield request
}

/** What is another one when the file has been written to or replaced. */
async function stateOf(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

function changed(path: string): InvalidInputError {
  return new InvalidInputError(
    `${path} has changed while it was read; what was sent of it keeps its ids, so check it and send it again.`,
  )
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`
}
