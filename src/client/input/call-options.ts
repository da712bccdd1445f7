import { duration, oneOf, type Rows, read, signal, wholeNumber } from './reader.js'
import { argument } from './wrong-input.js'

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
  /** `'bulk'` for what nobody waits for in person: it goes after the creates and reads of customers. Default `'customer'`. */
  priority?: 'customer' | 'bulk' | undefined
}

/** The table of these options, for calls that take more. */
export const callRows = {
  signal,
  timeoutMs: duration,
  deadlineMs: duration,
  retries: wholeNumber(0),
  priority: oneOf('customer', 'bulk'),
} satisfies Rows<CallOptions>

const words = argument('options', 'an option of a call')

/**
 * The options of a call, read once.
 *
 * @throws {InvalidInputError} for one that is unknown or out of range.
 */
export function checkCallOptions(options: CallOptions | undefined): CallOptions | undefined {
  return options === undefined ? undefined : read(options, callRows, words)
}
