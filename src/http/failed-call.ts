import type { GatewayError } from '../errors.js'
import type { Evidence, Failure, FailureContext } from './failure.js'
import { type ErrorContext, toError } from './to-error.js'

/**
 * A call that failed, as a value: a token request that fails is told in the words of each call that waited
 * for the token.
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
