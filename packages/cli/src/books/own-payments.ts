import { whyNoId } from '../../../../src/client/input/payment-id.js'
import { readRegularFile } from '../../../../src/client/input/regular-file.js'
import { CommandFailed, WrongLines } from '../exit-codes.js'
import { cellsOf, delimiterOf } from '../files/csv.js'
import { type LineProblem, linesOf } from '../files/lines.js'
import { withFile } from '../files.js'
import { countOf } from '../text.js'
import type { OwnPayment } from './index.js'

const names = ['kind', 'id', 'status', 'amount', 'currencyCode'] as const
type Name = (typeof names)[number]

/**
 * The payments of a CSV file whose first line names the columns `kind` and `id`, and may name `status`, `amount` and
 * `currencyCode`; others are passed over.
 *
 * @throws {WrongLines} naming lines, and nothing of what is in them; {CommandFailed} when it can't be read.
 */
export async function ownPaymentsOf(file: string): Promise<OwnPayment[]> {
  const problems: LineProblem[] = []
  const payments: OwnPayment[] = []
  let header: { readonly cells: readonly string[]; readonly delimiter: string } | undefined
  for await (const line of linesOf([Buffer.from(withFile(file, () => readRegularFile(file)))])) {
    if ('reason' in line) {
      problems.push(line)
      continue
    }
    const delimiter = header?.delimiter ?? delimiterOf(line.text)
    const cells = cellsOf(line.text, delimiter)
    if (typeof cells === 'string') problems.push({ line: line.number, reason: cells })
    else if (header === undefined) header = { cells, delimiter }
    else {
      const payment = paymentOf(cells, header.cells)
      if (typeof payment === 'string') problems.push({ line: line.number, reason: payment })
      else payments.push(payment)
    }
  }
  if (header !== undefined && !(header.cells.includes('kind') && header.cells.includes('id'))) {
    throw new CommandFailed(`the first line of ${file} must name the columns kind and id; nothing was asked.`)
  }
  if (problems.length > 0) {
    throw new WrongLines(
      `${countOf(problems.length, 'line')} of ${file} can't be read; nothing was closed.`,
      problems,
    )
  }
  return payments
}

function paymentOf(cells: readonly string[], header: readonly string[]): OwnPayment | string {
  const cell = (name: Name) => cells[header.indexOf(name)] || undefined
  const [kind, id, status, amount, currencyCode] = names.map(cell)
  if (kind !== 'payin' && kind !== 'payout') return 'kind must be payin or payout.'
  if (id === undefined) return 'id is missing.'
  const why = whyNoId(id)
  if (why !== undefined) return `id ${why}.`
  if ((amount === undefined) !== (currencyCode === undefined))
    return 'amount and currencyCode go together: give both, or neither.'
  const more = {
    ...(status === undefined ? {} : { status }),
    ...(amount === undefined || currencyCode === undefined ? {} : { money: { amount, currencyCode } }),
  }
  return kind === 'payin' ? { idPayin: id, ...more } : { idPayout: id, ...more }
}
