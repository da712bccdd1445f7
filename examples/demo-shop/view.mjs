// @ts-check
// What a customer may see of an order: no id of the gateway's, and the account's last digits only.
import { createHash } from 'node:crypto'
import { leftOf } from './order.mjs'
import { decimal } from './public/amount.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {import('./order.mjs').Payment} Payment
 */

/** @param {Order} order */
export function viewOf(order) {
  const { number, placedAt, lines, total, account, payTo, payin, refunds } = order
  const last = refunds.at(-1)
  return {
    number,
    placedAt,
    lines,
    total,
    accountEnd: account.accountNumber.slice(-4),
    payTo,
    status: statusOf(payin, 'PREPARING'),
    isFinal: payin.isFinal || payin.state === 'refused',
    left: decimal(leftOf(order)),
    refund: last
      ? {
          status: statusOf(last, 'REQUESTED'),
          number: last.number,
          amount: last.amount,
          isFinal: last.isFinal,
        }
      : null,
  }
}

/** The gateway's own word where it has said one. @param {Payment} payment @param {string} atFirst */
function statusOf({ state, status }, atFirst) {
  if (state === 'refused') return 'REFUSED'
  if (state === 'stuck') return 'CHECKING'
  return status ?? (state === 'created' ? 'PENDING' : atFirst)
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number for people to say on the telephone. It opens nothing: that takes the key. @param {string} key */
export function orderNumber(key) {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 8)
  const [a, b] = [bytes.subarray(0, 4), bytes.subarray(4)].map((part) =>
    Array.from(part, (byte) => alphabet.charAt(byte % 32)).join(''),
  )
  return `HT-${a}-${b}`
}
