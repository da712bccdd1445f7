import type { SandboxStatus } from '../payments/payment.js'
import type { CallbackFaultAction } from './callback-fault.js'

/**
 * What a magic amount, or the magic operator code that means the same, makes of a payment that asks for it.
 *
 * @example
 * ```ts
 * createSandbox({ magicAmounts: [...magicAmounts, { amount: 13, outcome: 'FAILED', meaning: 'Bad luck.' }] })
 * ```
 */
export interface MagicAmount {
  /** The exact amount, in any currency; for payins and payouts alike. */
  readonly amount: number
  /** The `paymentOperatorCode` that does the same for any amount. It is not in the list of operators. */
  readonly operatorCode?: string
  /** In a sentence. */
  readonly meaning: string
  /** The status that the payment ends in; null leaves it PENDING until somebody settles it by hand. */
  readonly outcome?: SandboxStatus | null
  /** Milliseconds on the sandbox's clock from the creation to the outcome; `settleAfterMs` otherwise. */
  readonly afterMs?: number
  /** What happens on the wire to the first create request for the payment's id; a repetition is served. */
  readonly firstCreate?: FirstCreate
  /** What every answer with this payment looks like. */
  readonly answers?: 'null-for-string' | 'extra-fields' | 'hidden-at-first'
  /** What happens to each callback about this payment. */
  readonly callbacks?: CallbackFaultAction['kind']
}

/** The ways in which a first create can go. */
export type FirstCreate =
  | 'drop-before'
  | 'drop-after'
  | 'error-before'
  | 'error-after'
  | 'timeout-before'
  | 'timeout-after'
  | 'stall-body'
  | 'cut-body'
  | 'html'
  | 'slow'
  | 'rate-limit'
  | 'rate-limit-retry-after'
  | 'overtaken'
  | 'callback-first'
  | 'revoke-token'
  | 'skew-clock'

/**
 * Amounts and operator codes that force an outcome or a fault, so that an end-to-end test needs no access to
 * the sandbox. Every other amount succeeds. Amounts from 4001 are about the payment, from 5001 about the wire,
 * from 6001 about the shape of answers, from 7001 about callbacks, and from 8001 about tokens and clocks.
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
  magic(4003, 'PENDING', 'The payment stays PENDING until it is settled by hand or expires.', {
    outcome: null,
  }),
  magic(4004, 'AFTER_A_DAY', 'The payment succeeds after a day.', {
    outcome: 'SUCCESS',
    afterMs: 86_400_000,
  }),
  magic(4005, 'AT_ONCE', 'The payment succeeds at once.', { outcome: 'SUCCESS', afterMs: 0 }),
  magic(4006, 'UNKNOWN_STATUS', 'The payment ends in a status that nobody has heard of.', {
    outcome: 'UNDER_REVIEW',
  }),
  first(5001, 'drop-after', 'ANSWER_LOST', 'Accepted, and then the connection is reset.'),
  first(5002, 'drop-before', 'REQUEST_LOST', 'The connection is reset before anything is accepted.'),
  first(5003, 'error-after', 'ERROR_AFTER', 'Accepted, and then answered 500.'),
  first(5004, 'error-before', 'ERROR_BEFORE', 'Answered 503, and nothing is accepted.'),
  first(5005, 'timeout-after', 'ACCEPTED_SILENCE', 'Accepted, and never answered.'),
  first(5006, 'cut-body', 'BODY_CUT', 'Accepted, and the answer breaks off in its body.'),
  first(5007, 'stall-body', 'BODY_STALLED', 'Accepted, and the answer stops in its body.'),
  first(5008, 'timeout-before', 'SILENCE', 'Never answered, and nothing is accepted.'),
  first(5009, 'html', 'HTML', 'Accepted, and then a proxy answers 502 with a page.'),
  first(5010, 'slow', 'SLOW', 'Accepted, and answered after 3 s.'),
  first(5011, 'rate-limit', 'RATE_LIMIT', 'Answered 429 without Retry-After, and nothing is accepted.'),
  first(
    5012,
    'rate-limit-retry-after',
    'RETRY_AFTER',
    'Answered 429 with Retry-After: 2, and nothing is accepted.',
  ),
  first(
    5013,
    'overtaken',
    'OVERTAKEN',
    'Two creates race: another one with this id and content wins, and this one is answered 409.',
  ),
  magic(6001, 'NULL_FIELD', 'Every answer has null for paymentMethodCode, where a string was.', {
    answers: 'null-for-string',
  }),
  magic(6002, 'EXTRA_FIELDS', 'Every answer has fields that nobody has heard of.', {
    answers: 'extra-fields',
  }),
  magic(6003, 'FOUND_LATER', 'Looking it up is answered 404 for a second, and then it is found.', {
    answers: 'hidden-at-first',
  }),
  magic(7001, 'CALLBACK_MISSING', 'No callback is sent.', { callbacks: 'missing' }),
  magic(7002, 'CALLBACK_TWICE', 'Every callback is sent twice.', { callbacks: 'twice' }),
  magic(7003, 'CALLBACK_LATE', 'Every callback is sent 10 s late.', { callbacks: 'late' }),
  magic(7004, 'CALLBACK_SWAPPED', 'The callbacks come in the wrong order: SUCCESS before PENDING.', {
    callbacks: 'swapped',
  }),
  first(
    7005,
    'callback-first',
    'CALLBACK_FIRST',
    'The first callback is delivered and answered before the create is.',
  ),
  first(8001, 'revoke-token', 'TOKEN_REVOKED', 'The token of the create is revoked: 401.'),
  first(
    8002,
    'skew-clock',
    'CLOCK_SKEWED',
    'Accepted, and for a minute every answer about this payment shows a clock that is an hour ahead.',
  ),
])

type Effect = Pick<MagicAmount, 'outcome' | 'afterMs' | 'answers' | 'callbacks'>

function magic(amount: number, code: string, meaning: string, effect: Effect): MagicAmount {
  return { amount, operatorCode: `SANDBOX_${code}`, meaning, ...effect }
}

function first(amount: number, firstCreate: FirstCreate, code: string, meaning: string): MagicAmount {
  return { amount, operatorCode: `SANDBOX_${code}`, meaning, firstCreate }
}
