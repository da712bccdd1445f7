import { InvalidInputError, type MoneyInput, type PayoutCreateInput } from 'merchant-gateway'
import * as z from 'zod/mini'
import { readRegularFile } from '../files.js'
import { Sums } from '../input/amounts.js'
import { readOptions } from '../input/options.js'
import { requestOf, rowReader } from './candidates.js'
import { checkLine } from './check-line.js'
import { type LineProblem, readLines, WrongLine } from './lines.js'
import { tableReader } from './table.js'

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

/** What the payouts of one currency come to. */
export interface CurrencyTotal {
  /** Three letters, in capitals. */
  readonly currencyCode: string
  /** How many there are. */
  readonly payouts: number
  /** Exact, as decimal text in the currency's main unit: `'1234.50'`. */
  readonly amount: string
}

/** A file of payouts of which every line was checked. */
export interface PayoutFile {
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
   * The payouts as they were read, in the order of the file.
   *
   * @throws when lines are wrong or without ids ({@link InvalidInputError}).
   */
  lines(): readonly SendableLine[]
}

/** Options of `checkPayoutFile`. */
export interface PayoutFileOptions {
  /** Amounts of a CSV file are written `10,50`; a point is refused then. Default false. */
  decimalComma?: boolean | undefined
  /** An account that looks like an IBAN must have the check digits of one (ISO 7064). Default true. */
  checkIbans?: boolean | undefined
}

const optionsSchema: z.ZodMiniType<PayoutFileOptions> = z.strictObject({
  decimalComma: z.optional(z.boolean('must be true or false')),
  checkIbans: z.optional(z.boolean('must be true or false')),
})

/** How many wrong lines are kept to be shown. */
const mostProblems = 100

/**
 * Reads a whole file of payouts and sends nothing: what is wrong in it is said with the number of the line, before the
 * first payout is sent. Reasons show no account and no name. The payouts are kept in memory, some 60 MB for 100,000.
 *
 * A CSV file is UTF-8, its cells are divided by commas, semicolons or tabs, and its first line names the columns:
 * `idPayout`, `amount`, `currencyCode`, `paymentMethodCode`, `paymentOperatorCode`, `accountName`, `accountNumber`,
 * `emailAddress`, `callbackUrl`, or the paths of these in the request, such as `money.amount`. An NDJSON file has a
 * request of `payouts.create` on each line. Amounts are in the currency's main unit, with a decimal point. What a
 * spreadsheet has damaged (numbers in scientific notation, dates, formulas, errors) is wrong.
 *
 * @param path of the file, which is NDJSON if it ends in `.ndjson` or `.jsonl`, and else CSV.
 * @throws for an option that is unknown or wrong ({@link ConfigurationError}).
 * @throws what the file system says, with the code `NOT_A_FILE` for a pipe or a device, which may never end (`Error`).
 * @example
 * const file = await checkPayoutFile('payouts.csv')
 * for (const { line, reason } of file.problems) console.error(`line ${line}: ${reason}`)
 * if (file.problemCount === 0) for (const { request } of file.lines()) await client.payouts.create(request)
 */
export async function checkPayoutFile(path: string, options: PayoutFileOptions = {}): Promise<PayoutFile> {
  const settings = readOptions(optionsSchema, options, 'checkPayoutFile')
  return checkPayouts(readRegularFile(path), formatOf(path), settings)
}

export type PayoutFileFormat = 'csv' | 'ndjson'

export function formatOf(path: string): PayoutFileFormat {
  return /\.(?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv'
}

/** The same of what stands in a file. */
export async function checkPayouts(
  bytes: Buffer,
  format: PayoutFileFormat,
  { decimalComma = false, checkIbans = true }: PayoutFileOptions,
): Promise<PayoutFile> {
  const candidateOf = format === 'csv' ? tableReader((names) => rowReader(names, decimalComma)) : requestOf
  const firstWith = new Map<string, number>()
  const read = (text: string, line: number) => {
    const candidate = candidateOf(text)
    if (candidate === undefined) return undefined
    const request = checkLine(candidate, checkIbans)
    checkIsFirst(request, line, firstWith)
    return { line, request }
  }
  const { found, problems } = await readLines(bytes, read, format === 'csv')
  const sendable = found.filter(hasId)
  const withoutId = found.length - sendable.length
  return {
    payouts: found.length,
    totals: totalsOf(found.map(({ request }) => request.paymentRequested.money)),
    problems: problems.slice(0, mostProblems),
    problemCount: problems.length,
    withoutId,
    lines() {
      const [problem] = problems
      if (problem !== undefined) {
        throw new InvalidInputError(
          `line ${problem.line} is wrong: ${problem.reason} ${problems.length - 1} more are; nothing of this file was sent.`,
        )
      }
      if (withoutId > 0) {
        throw new InvalidInputError(
          `payouts without an idPayout: ${withoutId}, and a second run would pay them twice; nothing of this file was sent.`,
        )
      }
      return sendable
    },
  }
}

/** A second payout under the same id would never be made, and nobody would notice. */
function checkIsFirst({ idPayout }: PayoutCreateInput, line: number, firstWith: Map<string, number>): void {
  if (idPayout === undefined) return
  const first = firstWith.get(idPayout)
  if (first !== undefined)
    throw new WrongLine(`idPayout is that of line ${first}; each payout needs an id of its own.`)
  firstWith.set(idPayout, line)
}

function hasId(line: { line: number; request: PayoutCreateInput }): line is SendableLine {
  return line.request.idPayout !== undefined
}

/** @param all amounts as a checked request has them: numbers or plain decimal texts. */
export function totalsOf(all: readonly MoneyInput[]): CurrencyTotal[] {
  const sums = new Sums()
  for (const { amount, currencyCode } of all) sums.add(amount, currencyCode)
  return sums.codes.map((code) => ({
    currencyCode: code,
    payouts: all.filter(({ currencyCode }) => currencyCode.toUpperCase() === code).length,
    amount: sums.textOf(code),
  }))
}
