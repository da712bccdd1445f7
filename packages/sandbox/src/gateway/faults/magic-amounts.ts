import type { SandboxStatus } from '../payments/payment.js'
import type { CallbackFaultAction, FaultAction } from './fault.js'

/** What a magic amount, or the magic operator code that means the same, makes of a payment that asks for it. */
export interface MagicAmount {
  /** The exact amount, in any currency; for payins and payouts alike. */
  readonly amount: number
  /** The `paymentOperatorCode` that does the same for any amount. It is not in the list of operators. */
  readonly operatorCode: string
  /** In a sentence. */
  readonly meaning: string
  /** The status that the payment ends in; null leaves it PENDING until somebody gives it another by hand. */
  readonly outcome?: SandboxStatus | null
  /** Milliseconds on the sandbox's clock from the creation to the outcome; `payAfterMs` otherwise. */
  readonly afterMs?: number
  /** The fault that the first create request for the payment's id meets; a repetition is served. */
  readonly firstCreate?: FaultAction
  /** What is wrong with every response that shows this payment. */
  readonly responses?: ResponseFault
  /** What happens to each callback about this payment. */
  readonly callbacks?: CallbackFaultAction
}

/** The faults that change what a response shows. */
export type ResponseFault = Extract<
  FaultAction,
  {
    /** Which of them. */
    kind: 'mutate' | 'null-for-string' | 'extra-fields' | 'unknown-status' | 'hide'
  }
>

/**
 * Amounts and operator codes that force an outcome or a fault, so that an end-to-end test needs no access to
 * the sandbox. Every other amount succeeds. Amounts from 4001 are about the payment, from 5001 about the wire,
 * from 6001 about the shape of responses, from 7001 about callbacks, and 8001 is about tokens.
 *
 * Where the amount and the operator code both mean something, the operator code wins.
 *
 * Statuses other than SUCCESS are assumptions: section 3 shows no more.
 *
 * @example
 * ```ts
 * await client.payouts.create({ paymentRequested: { money: { amount: 4001, currencyCode: 'EUR' } }, ... })
 * // ends as FAILED
 * ```
 */
export const magicAmounts: readonly MagicAmount[] = Object.freeze([
  magic(4001, 'FAILED', 'The payment fails.', { outcome: 'FAILED' }),
  magic(4002, 'EXPIRED', 'The payment expires.', { outcome: 'EXPIRED' }),
  magic(4003, 'PENDING', 'The payment stays PENDING until its status is set by hand or it expires.', {
    outcome: null,
  }),
  magic(4004, 'AFTER_A_DAY', 'The payment succeeds after a day.', {
    outcome: 'SUCCESS',
    afterMs: 86_400_000,
  }),
  magic(4005, 'AT_ONCE', 'The payment succeeds at once.', { outcome: 'SUCCESS', afterMs: 0 }),
  magic(4006, 'UNKNOWN_STATUS', 'The payment ends in an unknown status.', {
    outcome: 'UNDER_REVIEW',
  }),
  magic(5001, 'ANSWER_LOST', 'Accepted, and then the connection is reset.', {
    firstCreate: { kind: 'drop-after' },
  }),
  magic(5002, 'REQUEST_LOST', 'The connection is reset before anything is accepted.', {
    firstCreate: { kind: 'drop-before' },
  }),
  magic(5003, 'ERROR_AFTER', 'Accepted, and then answered 500.', {
    firstCreate: { kind: 'status', status: 500, processed: true },
  }),
  magic(5004, 'ERROR_BEFORE', 'Answered 503, and nothing is accepted.', {
    firstCreate: { kind: 'status', status: 503 },
  }),
  magic(5005, 'ACCEPTED_SILENCE', 'Accepted, and never answered.', {
    firstCreate: { kind: 'timeout', processed: true },
  }),
  magic(5006, 'BODY_CUT', 'Accepted, and the response breaks off in its body.', {
    firstCreate: { kind: 'cut-body' },
  }),
  magic(5007, 'BODY_STALLED', 'Accepted, and the response stops in its body.', {
    firstCreate: { kind: 'stall-body' },
  }),
  magic(5008, 'SILENCE', 'Never answered, and nothing is accepted.', { firstCreate: { kind: 'timeout' } }),
  magic(5009, 'HTML', 'Accepted, and then a proxy answers 502 with a page.', {
    firstCreate: { kind: 'html', status: 502, processed: true },
  }),
  magic(5010, 'SLOW', 'Accepted, and answered after 3 s.', { firstCreate: { kind: 'delay', ms: 3000 } }),
  magic(5011, 'RATE_LIMIT', 'Answered 429 without Retry-After, and nothing is accepted.', {
    firstCreate: { kind: 'rate-limit' },
  }),
  magic(5012, 'RETRY_AFTER', 'Answered 429 with Retry-After: 2, and nothing is accepted.', {
    firstCreate: { kind: 'rate-limit', retryAfterSecs: 2 },
  }),
  magic(
    5013,
    'OVERTAKEN',
    'Two creates race: another one with this id and content wins, and this one is answered 409.',
    { firstCreate: { kind: 'overtaken' } },
  ),
  magic(6001, 'NULL_FIELD', 'Every response has null for paymentMethodCode, where a string was.', {
    responses: { kind: 'null-for-string' },
  }),
  magic(6002, 'EXTRA_FIELDS', 'Every response has unknown fields.', {
    responses: { kind: 'extra-fields' },
  }),
  magic(6003, 'FOUND_LATER', 'Looking it up is answered 404 for a second, and then it is found.', {
    responses: { kind: 'hide', ms: 1000 },
  }),
  magic(7001, 'CALLBACK_MISSING', 'No callback is sent.', { callbacks: { kind: 'missing' } }),
  magic(7002, 'CALLBACK_TWICE', 'Every callback is sent twice.', { callbacks: { kind: 'twice' } }),
  magic(7003, 'CALLBACK_LATE', 'Every callback is sent 10 s late.', {
    callbacks: { kind: 'late', ms: 10_000 },
  }),
  magic(7004, 'CALLBACK_SWAPPED', 'The callbacks come in the wrong order: SUCCESS before PENDING.', {
    callbacks: { kind: 'swapped' },
  }),
  magic(7005, 'CALLBACK_FIRST', 'The first callback is delivered and answered before the create is.', {
    firstCreate: { kind: 'callback-first' },
  }),
  magic(8001, 'TOKEN_REVOKED', 'The token of the create is revoked: 401.', {
    firstCreate: { kind: 'revoke-token' },
  }),
])

type Effect = Omit<MagicAmount, 'amount' | 'operatorCode' | 'meaning'>

function magic(amount: number, code: string, meaning: string, effect: Effect): MagicAmount {
  return { amount, operatorCode: `SANDBOX_${code}`, meaning, ...effect }
}
