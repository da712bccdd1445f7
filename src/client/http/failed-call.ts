import type { GatewayError } from '../errors.js'
import type { Evidence, Failure, FailureContext } from './failure.js'
import { type ErrorContext, toError } from './to-error.js'

/**
 * A call that failed, as a value: of a failed token request, each call that waited for the token makes an
 * error of its own.
 */
export class FailedCall {
  readonly failure: Failure
  readonly evidence: Evidence
  readonly context: FailureContext
  readonly #meaning: ErrorContext['meaning']

  constructor(
    failure: Failure,
    evidence: Evidence,
    context: FailureContext,
    meaning: ErrorContext['meaning'],
  ) {
    this.failure = failure
    this.evidence = evidence
    this.context = context
    this.#meaning = meaning
  }

  /** What the caller gets. */
  toError(): GatewayError {
    return toError(this.failure, this.evidence, { ...this.context, meaning: this.#meaning })
  }
}
