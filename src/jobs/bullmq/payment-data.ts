import { damageOfAccount } from '../../client/input/damage.js'
import { isObject } from '../../client/input/values.js'
import { InvalidInputError, type PaymentKind } from '../../index.js'
import { kindOf } from '../kinds.js'
import { checkId } from '../payment-job.js'
import type { PaymentIdOf, PaymentToSend } from '../types.js'
import { PaymentSeal } from './seal.js'
import type { PaymentAccount, PaymentData, PaymentDataOptions } from './types.js'

/**
 * A payment as data for BullMQ's `Queue.add` and `addBulk`, encrypted for this client's merchant and gateway.
 *
 * @param client a client of the merchant whose payment it is, at the gateway that it goes to.
 * @param payment a create request with your id; or the id alone, where the processor has `load`.
 * @param options your own keys.
 * @throws for what can be no id of a payment, and for a payout to what is certainly no account ({@link InvalidInputError}).
 * @throws for a wrong `encryptionKeys`, and without any key ({@link ConfigurationError}).
 * @example
 * await queue.add('payout', paymentData(client, payout), jobOptions(payout))
 */
export function paymentData(
  client: PaymentAccount,
  payment: PaymentToSend<'payout'> | PaymentIdOf<'payout'>,
  options?: PaymentDataOptions,
): PaymentData<'payout'>
/** The same of a payin. */
export function paymentData(
  client: PaymentAccount,
  payment: PaymentToSend<'payin'> | PaymentIdOf<'payin'>,
  options?: PaymentDataOptions,
): PaymentData<'payin'>
export function paymentData(
  client: PaymentAccount,
  payment: Payment<'payin'> | Payment<'payout'>,
  options: PaymentDataOptions = {},
): PaymentData<'payin'> | PaymentData<'payout'> {
  if (!isObject(payment) || 'idPayin' in payment === 'idPayout' in payment) {
    throw new InvalidInputError('payment must be an object with idPayin or idPayout; nothing was sealed.', {
      field: 'payment',
    })
  }
  if ('idPayin' in payment) return dataOf(client, 'payin', payment.idPayin, payment, options)
  checkDestination(payment)
  return dataOf(client, 'payout', payment.idPayout, payment, options)
}

/** The create refuses it too, long after the queue has taken it. */
function checkDestination(payment: Payment<'payout'>): void {
  const number = 'paymentMethod' in payment ? payment.paymentMethod?.account?.accountNumber : undefined
  const damage = typeof number === 'string' ? damageOfAccount(number) : undefined
  if (damage === undefined) return
  const field = 'paymentMethod.account.accountNumber'
  throw new InvalidInputError(`${field} ${damage}; nothing was sealed.`, {
    field,
    idPayout: payment.idPayout,
    outcome: 'not-accepted',
  })
}

type Payment<K extends PaymentKind> = PaymentToSend<K> | PaymentIdOf<K>

function dataOf<K extends PaymentKind>(
  client: PaymentAccount,
  kind: K,
  id: string,
  payment: Payment<K>,
  { encryptionKeys }: PaymentDataOptions,
): PaymentData<K> {
  checkId(kindOf(kind).idField, id)
  const content = isRequest(payment) ? { request: payment } : {}
  return new PaymentSeal(client, kind, encryptionKeys).seal(id, content)
}

function isRequest<K extends PaymentKind>(payment: Payment<K>): payment is PaymentToSend<K> {
  return 'paymentRequested' in payment || Object.keys(payment).length > 1
}
