import { durationRange, is, isDuration, type Rows, read, required, signal, type Words } from './reader.js'
import { argument, wrongInput } from './wrong-input.js'

/** How long to wait, and what ends it early. */
export interface WaitOptions {
  /** The longest wait, in milliseconds. Required: a payment may take days, or never become final. */
  maxWaitMs: number
  /** Ends the wait with an `AbortedError`. */
  signal?: AbortSignal | undefined
}

const limit = `${durationRange}, since a wait needs a limit`

const rows = {
  maxWaitMs: required(is<number>(limit, isDuration)),
  signal,
} satisfies Rows<WaitOptions>

const words: Words = {
  ...argument('options', 'an option of a wait'),
  // Whoever gives no options has forgotten the one that is needed.
  needsObject: () => wrongInput('maxWaitMs', `is missing; it must be ${limit}`),
}

/**
 * The options of a wait, read once.
 *
 * @throws {InvalidInputError} when the wait has no limit, or an option that is unknown or wrong.
 */
export function checkWaitOptions(options: WaitOptions): WaitOptions {
  return read(options, rows, words)
}
