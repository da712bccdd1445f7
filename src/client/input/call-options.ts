import {
  durationRange,
  is,
  isDuration,
  networkLimit,
  oneOf,
  type Rows,
  read,
  required,
  signal,
  type Words,
  wholeNumber,
} from './reader.js'
import { argument, wrongInput } from './wrong-input.js'

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

/** The table of these options, for calls that take more. */
export const callRows = {
  signal,
  timeoutMs: networkLimit,
  deadlineMs: networkLimit,
  retries: wholeNumber(0),
  priority: oneOf('customer', 'background'),
} satisfies Rows<CallOptions>

const words = argument('options', 'an option of a call')

/** @throws for an option that is unknown or out of range ({@link InvalidInputError}). */
export function checkCallOptions(options: CallOptions | undefined): CallOptions | undefined {
  return options === undefined ? undefined : read(options, callRows, words)
}

/** How long to wait, and what ends it early. */
export interface WaitOptions {
  /** The longest wait, in milliseconds. Required: a payment may take days, or never become final. */
  maxWaitMs: number
  /** Ends the wait with an `AbortedError`. */
  signal?: AbortSignal | undefined
}

const limit = `${durationRange}, since a wait needs a limit`

const waitRows = {
  maxWaitMs: required(is<number>(limit, isDuration)),
  signal,
} satisfies Rows<WaitOptions>

const waitWords: Words = {
  ...argument('options', 'an option of a wait'),
  // Whoever gives no options has forgotten the one that is needed.
  needsObject: () => wrongInput('maxWaitMs', `is missing; it must be ${limit}`),
}

/** @throws when the wait has no limit, or an option that is unknown or wrong ({@link InvalidInputError}). */
export function checkWaitOptions(options: WaitOptions): WaitOptions {
  return read(options, waitRows, waitWords)
}
