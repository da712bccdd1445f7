import { basename } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { fileProblem, writeInOnePiece } from '../files.js'
import { currencyText, Sums } from '../input/amounts.js'
import { printable, withoutFormula } from '../text.js'
import type { PayoutLine } from './plan.js'
import type { Results } from './results.js'
import type { State } from './states.js'

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
  // Of a total: by how much the balance has become less, amounts and fees.
  'charged',
  'payee',
  'reference',
  'createdAt',
  'processedAt',
  // When the run began that sent it.
  'run',
  'file',
] as const

/**
 * A line of a report: what became of one payout, or the sums of what was paid in a currency (state `total`, without an
 * id). No account and no name is in it.
 */
export type ReportLine = Readonly<
  Partial<Record<Exclude<(typeof columns)[number], 'line'>, string | undefined>>
> & {
  readonly state: State | 'total'
  readonly amount: string
  readonly currencyCode: string
  /** Absent where the file has the line no more. */
  readonly line?: number | undefined
}

export function reportLines(path: string, lines: readonly PayoutLine[], results: Results): ReportLine[] {
  const file = basename(path)
  return lines.map(({ idPayout, request, record: { line, amount, currencyCode, payee } }) => {
    const known = results.known.get(idPayout)
    const state = results.stateOf(idPayout)
    const gone = request === undefined ? ', and its line is in the file no more: put the line back and' : ':'
    const reason = `it may have been sent${gone} send the file again to know`
    return {
      line: request && line,
      idPayout,
      amount: currencyText(amount, currencyCode),
      currencyCode,
      payee,
      run: known?.run,
      file,
      ...(state === 'unknown' ? { reason } : known?.outcome),
      state,
    }
  })
}

/** The sums of what was paid, by currency: what the balance has become less by. */
function totalsOf(lines: readonly ReportLine[]): ReportLine[] {
  const [amounts, fees, charged] = [new Sums(), new Sums(), new Sums()]
  for (const { state, amount, currencyCode, fee, feeCurrencyCode = currencyCode } of lines) {
    if (state !== 'paid') continue
    amounts.add(amount, currencyCode)
    charged.add(amount, currencyCode)
    if (fee === undefined) continue
    fees.add(fee, feeCurrencyCode)
    charged.add(fee, feeCurrencyCode)
  }
  return charged.codes.map((code) => ({
    state: 'total',
    amount: amounts.textOf(code),
    currencyCode: code,
    fee: fees.textOf(code),
    feeCurrencyCode: code,
    charged: charged.textOf(code),
  }))
}

/**
 * Writes `BASE.csv` and `BASE.json`, each in one piece or not at all.
 *
 * @returns the two paths.
 */
export function writeReports(base: string, payouts: readonly ReportLine[]): string[] {
  const lines = [...payouts, ...totalsOf(payouts)]
  const string = (text: string) => withoutFormula(printable(text))
  // With one payout on each line.
  const json = lines.map((line) => printable(JSON.stringify(line, [...columns])))
  const files = {
    [`${base}.csv`]: stringify(lines, { header: true, columns, cast: { string } }),
    [`${base}.json`]: json.length === 0 ? '[]\n' : `[\n${json.join(',\n')}\n]\n`,
  }
  for (const [path, text] of Object.entries(files)) {
    try {
      writeInOnePiece(path, text, 0o600)
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
