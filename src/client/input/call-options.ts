import { argument, check, type Shape, wrongOptions } from './check.js'
import { durationOf, networkLimit, oneOf, signal, wholeNumber } from './kinds.js'
import * as z from './zod.js'

/** What every call of the client takes. Absent ones come from the client's options. */
export interface CallOptions {
  /** Ends the call; the error says whether the request had been sent. */
  signal?: AbortSignal | undefined
  /** Limit of one attempt, from the permit to the last byte of the body, in milliseconds. */
  timeoutMs?: number | undefined
  /** Limit of the whole call, every wait and retry included, in milliseconds. */
  deadlineMs?: number | undefined
  /** How many times more than once the request may be tried. */
  retries?: number | undefined
  /** `'background'` for what nobody waits for in person: it goes after the calls of customers. Default `'customer'`. */
  priority?: 'customer' | 'background' | undefined
}

/** These options, for calls that take more. */
export const callShape = {
  signal: z.optional(signal),
  timeoutMs: z.optional(networkLimit('timeoutMs')),
  deadlineMs: z.optional(networkLimit('deadlineMs')),
  retries: z.optional(wholeNumber(0)),
  priority: z.optional(oneOf('customer', 'background')),
} satisfies Shape<CallOptions>

const ofCall = argument('an option of a call', callShape)

/** @throws for an option that is unknown or out of range ({@link InvalidInputError}). */
export function checkCallOptions(options: CallOptions | undefined): CallOptions | undefined {
  return options === undefined ? undefined : check(ofCall, options, wrongOptions)
}

/** How long to wait, and what ends it early. */
export interface WaitOptions {
  /** The longest wait, in milliseconds. Required: a payment may take days, or never become final. */
  maxWaitMs: number
  /** Ends the wait with an `AbortedError`. */
  signal?: AbortSignal | undefined
}

const ofWait = argument('an option of a wait', {
  maxWaitMs: durationOf(', since a wait needs a limit'),
  signal: z.optional(signal),
} satisfies Shape<WaitOptions>)

/** @throws when the wait has no limit, or an option that is unknown or wrong ({@link InvalidInputError}). */
export function checkWaitOptions(options: WaitOptions | undefined): WaitOptions {
  // Whoever gives no options has forgotten the one that is needed.
  return check(ofWait, options ?? {}, wrongOptions)
}
