import { type GatewayErrorCode, isPaid, type Payout } from 'merchant-gateway'
import type { PaymentVerdict } from 'merchant-gateway/jobs'
import { currencyText } from '../input/amounts.js'
import { timeIn } from '../input/values.js'
import type { Outcome } from './results.js'
import { mayBeSent, type State } from './states.js'

export interface PlanOptions {
  /** Sends again what was refused, too. */
  readonly retry?: boolean | undefined
  /** Takes what the gateway had before as the payouts of this file. */
  readonly adoptExisting?: boolean | undefined
  /** Pays lines again that were sent under another id. */
  readonly allowSecondPayout?: boolean | undefined
}

/**
 * What a run does next with the payout of a line.
 *
 * @param hasChanged whether the line asks for something else than it did when its payout was announced. The gateway never
 * shows an account, so nobody could tell later where the money went.
 */
export function nextStep(
  state: State,
  hasChanged: boolean,
  { retry = false, adoptExisting = false }: PlanOptions,
): 'send' | 'follow' | 'leave' | 'stop' {
  if (hasChanged && mayBeSent(state)) return 'stop'
  if (state === 'accepted') return 'follow'
  const isToSend =
    state === 'waiting' ||
    state === 'unknown' ||
    // Only a refusal of a payout that was never sent leaves room for another try of the same id.
    (state === 'refused' && (hasChanged || retry)) ||
    (state === 'review' && adoptExisting)
  return isToSend ? 'send' : 'leave'
}

export type Verdict = PaymentVerdict<'payout'>
export type Again = Extract<Verdict, { then: 'again' }>

/** Clocks and time zones differ by less. */
const dayMs = 86_400_000

/**
 * What the results file says of a payout after a run of its job; undefined while nothing new is known.
 *
 * @param sentBefore when an earlier run was about to send it.
 */
export function outcomeOf(
  verdict: Verdict,
  wasFollowed: boolean,
  sentBefore: string | undefined,
): Outcome | undefined {
  if (verdict.then === 'again')
    return verdict.state.step === 'follow' && !wasFollowed ? { state: 'accepted' } : undefined
  const { payment } = verdict
  const shown = payment === undefined ? {} : shownOf(payment)
  if (verdict.then === 'stop') {
    const reason = payment === undefined ? verdict.error.message : wasThere(shown.createdAt)
    return { ...shown, state: verdict.because, reason }
  }
  // A run that was killed before it sent this payout has not made one that is a day older.
  const madeAt = timeIn(verdict.payment.process.createdAt)
  if (sentBefore !== undefined && madeAt !== undefined && madeAt < Date.parse(sentBefore) - dayMs)
    return { ...shown, state: 'review', reason: wasThere(shown.createdAt) }
  return { ...shown, state: isPaid(verdict.payment) ? 'paid' : 'failed' }
}

/** The gateway shows no account, so nothing tells whether it is this line's payout. */
function wasThere(createdAt: string | undefined): string {
  const since = createdAt === undefined ? '' : ` since ${createdAt}`
  return `the gateway has had a payout under this id${since}, and no run of this file has made it, so nothing was paid now and its account is not known; if it is the payout of this line, send the file with --adopt-existing, and if not, give the line a new id.`
}

/** What a gateway writes may be anything, and of any length. */
const longestText = 100

function shownOf({ process, fee, paymentMethodResponse }: Payout): Omit<Outcome, 'state'> {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestText) : undefined)
  const amount = fee?.amount
  return {
    status: text(process.status),
    fee: Number.isFinite(amount) ? currencyText(Number(amount), String(fee?.currencyCode)) : undefined,
    feeCurrencyCode: text(fee?.currencyCode),
    createdAt: text(process.createdAt),
    processedAt: text(process.processedAt),
    reference: text(Reflect.get(paymentMethodResponse, 'reference')),
  }
}

/** How long it asks in vain when nothing was ever answered, and later on. */
const [firstPatienceMs, laterPatienceMs] = [30_000, 1_800_000]

/**
 * How long a run goes on while the gateway gives no response, in milliseconds; undefined where this was one.
 *
 * @param everAnswered whether the gateway has given any response to this run.
 */
export function patienceFor(
  { because, state }: Again,
  code: GatewayErrorCode,
  everAnswered: boolean,
): number | undefined {
  // A payout that can't be seen yet is a response, and an interruption is none.
  if (because === 'aborted' || (code === 'not_found' && because === 'following')) return undefined
  // An option such as `live` stays as it is for as long as this process.
  if (code === 'configuration') return 0
  if (everAnswered) return laterPatienceMs
  // Nobody listens there, or the key is refused: a setting, which waiting doesn't change.
  const isSetting = because === 'setup' || (code === 'connection' && state.outcome === 'not-accepted')
  return isSetting ? 0 : firstPatienceMs
}
