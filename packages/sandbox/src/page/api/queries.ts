import * as z from 'zod/mini'
import type { PaymentKind } from '../../gateway/payments/payment.js'

// The queries of the page's lists. A filter that makes no sense filters nothing: queries are typed into the address.

const MOST_ROWS = 200
const DEFAULT_ROWS = 50

const yes = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value === 'yes'),
)

const count = (most: number, otherwise: number) =>
  z.catch(
    z.pipe(
      z.coerce.number().check(z.gte(0)),
      z.transform((value) => Math.min(Math.floor(value), most)),
    ),
    otherwise,
  )

/** The words that are searched for, in lower case. */
const words = z.pipe(
  z.optional(z.string()),
  z.transform((text = '') => text.toLowerCase().split(/\s+/).filter(Boolean)),
)

/** Such as `payin/order-1`. */
const payment = z.pipe(
  z.optional(z.string()),
  z.transform((text = ''): { readonly kind: PaymentKind; readonly id: string } | undefined => {
    const [, kind, id = ''] = /^(payin|payout)\/(.+)$/s.exec(text) ?? []
    return kind === 'payin' || kind === 'payout' ? { kind, id } : undefined
  }),
)

const list = {
  offset: count(Number.MAX_SAFE_INTEGER, 0),
  limit: count(MOST_ROWS, DEFAULT_ROWS),
  search: words,
  /** Nothing newer than the one with this number, so that the list stands still while it is read. */
  upTo: z.catch(z.coerce.number().check(z.gte(1)), Number.POSITIVE_INFINITY),
}

export const paymentQuery = z.object(list)
export type PaymentQuery = z.infer<typeof paymentQuery>

export const requestQuery = z.object({
  ...list,
  kind: z.catch(z.optional(z.enum(['tokens', 'payins', 'payouts', 'info'])), undefined),
  result: z.catch(z.optional(z.enum(['ok', 'refused', 'failed', 'unanswered'])), undefined),
  /** Only refusals after which something has to be done. */
  toFix: yes,
  /** Only requests that met a fault. */
  fault: yes,
  payment,
})
export type RequestQuery = z.infer<typeof requestQuery>
