import type { Money } from 'merchant-gateway'
import { isObject } from '../input/values.js'

/** A made-up customer: the account of nobody. */
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

/**
 * What a payin asks for; its method and operator are the first ones that the gateway offers.
 *
 * @param options what the gateway offers for this money, where it has said so.
 */
export function payinRequest(money: Money, options: unknown) {
  return { paymentRequested: { money }, paymentMethod: { ...firstOption(options), account } }
}

/** What a payout asks for. */
export function payoutRequest(money: Money) {
  return { paymentRequested: { money }, paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account } }
}

function firstOption(options: unknown): { paymentMethodCode: string; paymentOperatorCode?: string } {
  const data: unknown = isObject(options) ? options.data : undefined
  const first: unknown = Array.isArray(data) ? data[0] : undefined
  if (!isObject(first) || typeof first.paymentMethodCode !== 'string') return { paymentMethodCode: 'VAPAY' }
  const operator: unknown = Array.isArray(first.paymentOperators) ? first.paymentOperators[0] : undefined
  const code = isObject(operator) && typeof operator.code === 'string' ? operator.code : undefined
  return {
    paymentMethodCode: first.paymentMethodCode,
    ...(code === undefined ? {} : { paymentOperatorCode: code }),
  }
}
