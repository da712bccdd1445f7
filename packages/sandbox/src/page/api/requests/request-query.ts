import * as z from 'zod/mini'
import { routeNames } from '../../../gateway/wire/routes.js'

// The queries of the page's lists. A filter that is none filters nothing: queries are also typed into the address.

const MOST_ROWS = 200
const DEFAULT_ROWS = 50
const MOST_SEARCHED = 200

const oneOf = <const Text extends string>(texts: readonly Text[]) =>
  z.catch(z.optional(z.enum(texts)), undefined)

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
const words = z.catch(
  z.pipe(
    z.string(),
    z.transform((text) => text.slice(0, MOST_SEARCHED).toLowerCase().split(/\s+/).filter(Boolean)),
  ),
  () => [],
)

/** `payin/order-1`: the id is what follows the first slash. */
const payment = z.catch(
  z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => ({ kind: text.split('/', 1)[0], id: text.slice(text.indexOf('/') + 1) })),
      ),
      z.object({ kind: z.enum(['payin', 'payout']), id: z.string().check(z.minLength(1)) }),
    ),
  ),
  undefined,
)

const part = { offset: count(Number.MAX_SAFE_INTEGER, 0), limit: count(MOST_ROWS, DEFAULT_ROWS) }
const list = {
  ...part,
  search: words,
  /** Nothing newer than the one with this number, so that the list stands still while it is read. */
  upTo: z.catch(z.coerce.number().check(z.gte(1)), Number.POSITIVE_INFINITY),
}

/** Which payments are wanted, and which part of their list. */
export const paymentQuery = z.object(list)
export type PaymentQuery = z.infer<typeof paymentQuery>

/** Which requests are wanted. */
export const requestQuery = z.object({
  ...list,
  kind: oneOf(['tokens', 'payins', 'payouts', 'info', 'other']),
  status: oneOf(['ok', 'refused', 'failed', 'unanswered']),
  route: oneOf(routeNames),
  /** Without refusals after which nothing has to be done. */
  toFix: yes,
  /** Only those that met a fault. */
  fault: yes,
  payment,
})
export type RequestQuery = z.infer<typeof requestQuery>

/** Which deliveries of callbacks are wanted. */
export const deliveryQuery = z.object({ ...part, payment, failed: yes })
export type DeliveryQuery = z.infer<typeof deliveryQuery>
