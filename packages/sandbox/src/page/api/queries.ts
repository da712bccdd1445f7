import * as z from 'zod/mini'
import type { PaymentKind } from '../../gateway/payments/payment.js'

// The queries of the page's lists. A filter that makes no sense filters nothing: queries are typed into the address.

const MOST_ROWS = 200
const DEFAULT_ROWS = 50

const text = z._default(z.string(), '')
const yes = z.pipe(
  text,
  z.transform((value) => value === 'yes'),
)
const count = (most: number, otherwise: number) => {
  const whole = z.transform((value: number) => Math.min(Math.floor(value), most))
  return z.catch(z.pipe(z.coerce.number().check(z.gte(0)), whole), otherwise)
}

const words = z.transform((text: string) => text.toLowerCase().split(/\s+/).filter(Boolean))

/** Such as `payin/order-1`. */
const payment = z.transform((text: string): { kind: PaymentKind; id: string } | undefined => {
  const [, kind, id = ''] = /^(payin|payout)\/(.+)$/s.exec(text) ?? []
  return kind === 'payin' || kind === 'payout' ? { kind, id } : undefined
})

export const paymentQuery = z.object({
  offset: count(Number.MAX_SAFE_INTEGER, 0),
  limit: count(MOST_ROWS, DEFAULT_ROWS),
  search: z.pipe(text, words),
})
export type PaymentQuery = z.infer<typeof paymentQuery>

export const requestQuery = z.extend(paymentQuery, {
  kind: z.catch(z.optional(z.enum(['tokens', 'payins', 'payouts', 'info'])), undefined),
  result: z.catch(z.optional(z.enum(['ok', 'refused', 'failed', 'unanswered'])), undefined),
  /** Only refusals after which something has to be done. */
  toFix: yes,
  fault: yes,
  payment: z.pipe(text, payment),
})
export type RequestQuery = z.infer<typeof requestQuery>
