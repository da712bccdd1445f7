import { durationRange, isDuration } from '../schemas/durations.js'
import { hasMethod, ownOf } from '../schemas/own.js'
import { wrongInput } from '../schemas/wrong-input.js'

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
}

const optionNames = ['signal', 'timeoutMs', 'deadlineMs', 'retries']

/**
 * The options of a call, read once.
 *
 * @throws {InvalidInputError} for one that is unknown or out of range.
 */
export function checkCallOptions(given: CallOptions | undefined): CallOptions | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) throw wrongInput('options', 'must be an object')
  const notKnown = () => `is not an option of a call (${optionNames.join(', ')})`
  const options = ownOf(given, optionNames, notKnown, wrongInput)
  const { signal, timeoutMs, deadlineMs, retries } = options
  if (signal !== undefined && !isAbortSignal(signal)) throw wrongInput('signal', 'must be an AbortSignal')
  for (const [name, ms] of Object.entries({ timeoutMs, deadlineMs })) {
    if (ms !== undefined && !isDuration(ms)) throw wrongInput(name, `must be ${durationRange}`)
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw wrongInput('retries', 'must be a whole number, 0 or more')
  }
  return options
}

/** By its shape, since test runners give each file globals of its own. */
function isAbortSignal(value: unknown): boolean {
  if (!hasMethod(value, 'addEventListener') || !hasMethod(value, 'removeEventListener')) return false
  return (
    typeof value === 'object' && value !== null && 'aborted' in value && typeof value.aborted === 'boolean'
  )
}
