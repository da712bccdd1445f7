import { isGatewayError, operation } from 'merchant-gateway'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { readLines, WrongLine } from '../files/lines.js'
import { tableReader } from '../files/table.js'
import { readRegularFile, withFile } from '../files.js'
import { countOf } from '../text.js'
import type { OwnPayment } from './types.js'

const names = ['kind', 'id', 'status', 'amount', 'currencyCode'] as const

/**
 * The payments of a CSV file whose first line names the columns `kind` and `id`, and may name `status`, `amount` and
 * `currencyCode`; others are passed over.
 *
 * @throws naming lines, and nothing of what is in them; {CommandFailed} when it can't be read ({@link CommandFailed}).
 */
export async function ownPaymentsOf(file: string): Promise<readonly OwnPayment[]> {
  const bytes = withFile(file, () => readRegularFile(file))
  const read = tableReader((header) => {
    if (header.includes('kind') && header.includes('id')) return (cells) => paymentOf(cells, header)
    throw new CommandFailed(`the first line of ${file} must name the columns kind and id; nothing was asked.`)
  })
  const { found, problems } = await readLines(bytes, read, true)
  if (problems.length === 0) return found
  throw new CommandFailed(
    `${countOf(problems.length, 'line')} of ${file} can't be read; nothing was reconciled.`,
    exitCodes.usage,
    problems,
  )
}

function paymentOf(cells: readonly string[], header: readonly string[]): OwnPayment {
  const [kind, id, status, amount, currencyCode] = names.map(
    (name) => cells[header.indexOf(name)] || undefined,
  )
  if (kind !== 'payin' && kind !== 'payout') throw new WrongLine('kind must be payin or payout.')
  if (id === undefined) throw new WrongLine('id is missing.')
  checkId(id)
  if ((amount === undefined) !== (currencyCode === undefined))
    throw new WrongLine('amount and currencyCode go together: give both, or neither.')
  const money = amount === undefined || currencyCode === undefined ? {} : { money: { amount, currencyCode } }
  return { ...(kind === 'payin' ? { idPayin: id } : { idPayout: id }), status, ...money }
}

function checkId(id: string): void {
  try {
    operation('GET', '/payins/{id}', { id })
  } catch (error) {
    if (!isGatewayError(error)) throw error
    throw new WrongLine(error.message.replace(/; nothing was sent\.$/, '.'))
  }
}
