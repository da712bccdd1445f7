import { carriesNumber } from './carts.js'
import { clean } from './cases.js'
import type { RunContext } from './context.js'
import type { Reference } from './evidence.js'
import type { Kind, Money } from './gateway.js'
import { judge, type Verdict } from './judge.js'
import { closeCart } from './rehearsal.js'
import { type Result, resultOf } from './result.js'
import { type Played, runCase } from './run-case.js'

/** Beyond that, moments would lie too far apart to meet anything. */
const MOST_SENT_MS = 1000

/** What makes cases comparable: learnt from carts of which nothing went wrong. */
export interface Learnt {
  /** The cart that the result is about. */
  readonly played: readonly Played[]
  readonly result: Result
  /** Undefined when nothing can be judged by it. */
  readonly reference: Reference | undefined
}

/** What the user says of a cart. */
export interface Expected {
  /** Which payments are meant; payins when there are some, unless told. */
  readonly kind?: Kind | undefined
  /** What a cart costs. */
  readonly price?: Money | undefined
}

/**
 * Plays two carts with nothing going wrong. They show what a cart's payments are, whether carts have prices of
 * their own, and that the act makes a payment for each cart.
 */
export async function learn(context: RunContext, { kind, price }: Expected = {}): Promise<Learnt> {
  const { carts, longer } = context
  // A shop that nobody has set up for this gateway should hear of it soon.
  const soon: RunContext = { ...context, ...(longer && { longer: { ms: 0 } }) }
  const play = (meant: Kind) => {
    const cart = carts.take()
    carts.giveTurn(cart)
    const reference = { kind: meant, others: 0, order: undefined }
    return runCase({ ...soon, reference, one: clean, round: 0, cart })
  }
  const first = await play(kind ?? 'payin')
  const { delivered, payments, said } = first.evidence
  const seen = kind ?? (payments.some((one) => one.kind === 'payin') ? 'payin' : 'payout')
  const [payment, ...more] = payments.filter((one) => one.kind === seen)
  const own: Reference = {
    kind: seen,
    others: payments.filter((one) => one.kind !== seen).length,
    order: undefined,
    actMs: actMsOf(first),
    isCalledBack: first.activity.payments.some((one) => one.kind === seen && one.callbackUrl !== undefined),
    ...(price && { price }),
  }
  const verdict = judge(clean, first.evidence, own)
  // What doesn't show that all went well can't show that something went wrong.
  const isUnclear = (said !== undefined && said !== 'paid') || delivered?.last === 0
  if (payment === undefined || more.length > 0 || isUnclear) return learnt(first, verdict)
  closeCart(first.activity, { reference: own, carts })
  const second = await play(seen)
  const next = second.evidence.payments.find((one) => one.kind === seen)
  if (next === undefined) {
    const sentence = 'none for a second cart: the act has to carry {n}, the number of the cart'
    return learnt(second, { outcome: 'wrong', sentence })
  }
  carts.areNamed = [first, second].every(({ activity, cart }) => {
    return activity.creates.every((create) => carriesNumber(create, cart))
  })
  const hasOnePrice =
    next.money.amount === payment.money.amount && next.money.currencyCode === payment.money.currencyCode
  // Where each cart pays somebody else, none can be held against the first one's.
  const account = next.account === payment.account ? payment.account : undefined
  const reference = hasOnePrice ? { ...own, order: { money: payment.money, account } } : own
  closeCart(second.activity, { reference, carts })
  const again = judge(clean, second.evidence, reference)
  return again.outcome === 'wrong' ? learnt(second, again, reference) : learnt(first, verdict, reference)
}

/** Until the act is answered and its create has come, whichever is later: an outbox may send long after the act. */
function actMsOf({ activity, evidence }: Played): number {
  const [act] = evidence.acts
  const [create] = activity.creates
  if (act === undefined) return 0
  const sentMs = create === undefined ? 0 : create.at - act.at
  return Math.max(act.tookMs, Math.min(sentMs, MOST_SENT_MS))
}

function learnt(one: Played, verdict: Verdict, reference?: Reference): Learnt {
  const played = [{ ...one, verdict }]
  return { played, result: resultOf(clean, played), reference }
}
