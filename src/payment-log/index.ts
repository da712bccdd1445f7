/**
 * What happened to each payment, as lines that `merchant-gateway explain` reads.
 *
 * @module merchant-gateway/payment-log
 */

export { type PaymentLogStream, paymentLog } from './payment-log.js'
