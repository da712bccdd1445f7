import * as z from 'zod/mini'
import { callbackFormShape } from '../../gateway/callbacks/form.js'
import { limiterKinds } from '../../gateway/engine/limiter.js'
import { exactly, flag, number, oneOf, text, whole } from '../../gateway/input/check.js'
import type { PaymentKind } from '../../gateway/payments/payment.js'

// What the page's API takes in a body, and in a query.

const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000
const MOST_STATUS_LENGTH = 64
const MOST_TIMES = 1000
const LONGEST_GAP_MS = 60_000

const STATUS = `a text of up to ${MOST_STATUS_LENGTH} characters`
const TIME = 'a number of milliseconds, ten years at most'
const TIMES = `a whole number from 1 to ${MOST_TIMES}`

export const statusBody = exactly({
  status: text(STATUS).check(z.maxLength(MOST_STATUS_LENGTH, `must be ${STATUS}`)),
  processed: z.exactOptional(flag()),
})
export type StatusBody = z.infer<typeof statusBody>

/** A callback as `sendCallback` takes it, with bounds: the page must not wait for ever. */
export const callbackBody = exactly({
  ...callbackFormShape,
  times: z.optional(whole(TIMES, 1, MOST_TIMES)),
  chunks: z.optional(whole(TIMES, 1, MOST_TIMES)),
  chunkGapMs: z.optional(number(`a number of milliseconds up to ${LONGEST_GAP_MS}`, 0, LONGEST_GAP_MS)),
})

export const createBody = exactly({
  kind: oneOf(['payin', 'payout']),
  amount: number('a number'),
  currencyCode: z.string('must be a text'),
  /** The first that the sandbox has when it is absent. */
  operator: z.exactOptional(z.string('must be a text')),
  /** Made when absent. */
  id: z.exactOptional(z.string('must be a text')),
  callbackUrl: z.exactOptional(z.string('must be a text')),
})
export type CreateBody = z.infer<typeof createBody>

/** Advances a virtual clock, or sets any clock wrong; without `forMs` until it is set right. */
export const clockBody = z.union(
  [
    exactly({ advanceMs: number(`${TIME}, and never back`, 0, TEN_YEARS_MS) }),
    exactly({
      skewMs: number(TIME, -TEN_YEARS_MS, TEN_YEARS_MS),
      forMs: z.exactOptional(number(TIME, 0, TEN_YEARS_MS)),
    }),
  ],
  'must have advanceMs, or skewMs and perhaps forMs',
)
export type ClockBody = z.infer<typeof clockBody>

export const limiterBody = exactly({
  kind: z.exactOptional(oneOf(limiterKinds, `one of ${limiterKinds.join(', ')}`)),
  /** Null for no limit. */
  limit: z.exactOptional(z.nullable(number('a number or null'))),
})
export type LimiterBody = z.infer<typeof limiterBody>

export const balanceBody = exactly({ amount: number('a number'), currencyCode: z.string('must be a text') })

/** A fault as `sandbox.fault` or `sandbox.callbackFault` takes it, which check the rest of it. */
export const faultBody = z.looseObject(
  { at: z.optional(oneOf(['request', 'callback'])) },
  'must be an object',
)

/** What the merchant answered to the program that delivers callbacks for the sandbox. */
export const callbackResult = z.union(
  [
    z.object({ status: z.int().check(z.gte(100), z.lte(599)), body: z.optional(z.string()) }),
    z.object({ error: z.string().check(z.minLength(1)) }),
  ],
  'must be a response: a status from 100 to 599, or an error',
)

// A filter that makes no sense filters nothing: queries are typed into the address.

const MOST_ROWS = 200
const DEFAULT_ROWS = 50

const typed = z._default(z.string(), '')
const yes = z.pipe(
  typed,
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
  search: z.pipe(typed, words),
})
export type PaymentQuery = z.infer<typeof paymentQuery>

export const requestQuery = z.extend(paymentQuery, {
  kind: z.catch(z.optional(z.enum(['tokens', 'payins', 'payouts', 'info'])), undefined),
  result: z.catch(z.optional(z.enum(['ok', 'refused', 'failed', 'unanswered'])), undefined),
  /** Only refusals after which something has to be done. */
  toFix: yes,
  fault: yes,
  payment: z.pipe(typed, payment),
})
export type RequestQuery = z.infer<typeof requestQuery>
