import { isGatewayError, operation } from 'merchant-gateway'
import { CommandFailed, WrongLines } from '../exit-codes.js'
import { type LineProblem, linesOf } from '../files/lines.js'
import { rowsOf } from '../files/table.js'
import { readRegularFile, withFile } from '../files.js'
import { countOf } from '../text.js'
import type { OwnPayment } from './types.js'

const names = ['kind', 'id', 'status', 'amount', 'currencyCode'] as const

/**
 * The payments of a CSV file whose first line names the columns `kind` and `id`, and may name `status`, `amount` and
 * `currencyCode`; others are passed over.
 *
 * @throws {WrongLines} naming lines, and nothing of what is in them; {CommandFailed} when it can't be read.
 */
export function ownPaymentsOf(file: string): OwnPayment[] {
  const problems: LineProblem[] = []
  const payments: OwnPayment[] = []
  let header: readonly string[] | undefined
  for (const row of rowsOf(linesOf(withFile(file, () => readRegularFile(file))))) {
    if ('reason' in row) problems.push(row)
    else if (header === undefined) header = row.cells
    else {
      const payment = paymentOf(row.cells, header)
      if (typeof payment === 'string') problems.push({ line: row.line, reason: payment })
      else payments.push(payment)
    }
  }
  if (header !== undefined && !(header.includes('kind') && header.includes('id')))
    throw new CommandFailed(`the first line of ${file} must name the columns kind and id; nothing was asked.`)
  if (problems.length > 0) {
    throw new WrongLines(
      `${countOf(problems.length, 'line')} of ${file} can't be read; nothing was reconciled.`,
      problems,
    )
  }
  return payments
}

function paymentOf(cells: readonly string[], header: readonly string[]): OwnPayment | string {
  const [kind, id, status, amount, currencyCode] = names.map(
    (name) => cells[header.indexOf(name)] || undefined,
  )
  if (kind !== 'payin' && kind !== 'payout') return 'kind must be payin or payout.'
  if (id === undefined) return 'id is missing.'
  const why = whyNoId(id)
  if (why !== undefined) return why
  if ((amount === undefined) !== (currencyCode === undefined))
    return 'amount and currencyCode go together: give both, or neither.'
  const money = amount === undefined || currencyCode === undefined ? {} : { money: { amount, currencyCode } }
  return { ...(kind === 'payin' ? { idPayin: id } : { idPayout: id }), status, ...money }
}

function whyNoId(id: string): string | undefined {
  try {
    operation('GET', '/payins/{id}', { id })
    return undefined
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return error.message.replace(/; nothing was sent\.$/, '.')
  }
}
