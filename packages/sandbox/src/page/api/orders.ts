import * as z from 'zod/mini'
import { limiterKinds } from '../../gateway/engine/limiter.js'
import { exactly, flag, number, oneOf, text } from '../../gateway/input/check.js'

// What the control API takes in a body. The page sends it, and so does `control`.

/** As far as a page moves a clock at once: ten years. */
const FURTHEST_MS = 10 * 365 * 24 * 3_600_000
const MOST_STATUS_LENGTH = 64
const STATUS = `a text of up to ${MOST_STATUS_LENGTH} characters`
const kind = oneOf(['payin', 'payout'])

export const settleOrder = exactly({
  status: text(STATUS).check(z.maxLength(MOST_STATUS_LENGTH, `must be ${STATUS}`)),
  processed: z.exactOptional(flag()),
})
export type SettleOrder = z.infer<typeof settleOrder>

/** A payment to create, as a customer of the merchant would. */
export const createOrder = exactly({
  kind,
  amount: number('a number'),
  currencyCode: z.string('must be a text'),
  /** The first that the sandbox has when it is absent. */
  operator: z.exactOptional(z.string('must be a text')),
  /** Made when absent. */
  id: z.exactOptional(z.string('must be a text')),
  callbackUrl: z.exactOptional(z.string('must be a text')),
})
export type CreateOrder = z.infer<typeof createOrder>

/** What is otherwise than in the request that is sent again. */
export const resendOrder = exactly({
  path: z.exactOptional(z.string('must be a text')),
  body: z.exactOptional(z.string('must be a text')),
})
export type ResendOrder = z.infer<typeof resendOrder>

const time = 'a number of milliseconds, ten years at most'

/** A virtual clock is moved on; any clock goes wrong, without `forMs` until it is set right. */
export const clockOrder = z.union(
  [
    exactly({ advanceMs: number(`${time}, and never back`, 0, FURTHEST_MS) }),
    exactly({
      skewMs: number(time, -FURTHEST_MS, FURTHEST_MS),
      forMs: z.exactOptional(number(time, 0, FURTHEST_MS)),
    }),
  ],
  'must have advanceMs, or skewMs and perhaps forMs',
)
export type ClockOrder = z.infer<typeof clockOrder>

/** What is left out stays as it is. */
export const limiterOrder = exactly({
  kind: z.exactOptional(oneOf(limiterKinds, `one of ${limiterKinds.join(', ')}`)),
  /** Null for no limit. */
  limit: z.exactOptional(z.nullable(number('a number or null'))),
})
export type LimiterOrder = z.infer<typeof limiterOrder>

export const balanceOrder = exactly({ amount: number('a number'), currencyCode: z.string('must be a text') })

/** A fault as `sandbox.fault` or `sandbox.callbackFault` takes it, which check the rest of it. */
export const faultOrder = z.looseObject(
  { at: z.optional(oneOf(['request', 'callback'])) },
  'must be an object',
)

const answered = 'must be an answer: a status from 100 to 599, or an error'

/** What the merchant answered to the program that listens in the sandbox's place. */
export const callbackAnswer = z.union(
  [
    z.object({
      status: z.int().check(z.gte(100), z.lte(599)),
      body: z.optional(z.string()),
    }),
    z.object({ error: z.string().check(z.minLength(1)) }),
  ],
  answered,
)
