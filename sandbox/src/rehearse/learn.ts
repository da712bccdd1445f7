import { clean, createRoute } from './cases.js'
import type { RunContext } from './context.js'
import type { Reference } from './evidence.js'
import type { Kind, Money } from './gateway.js'
import { judge, type Verdict } from './judge.js'
import { closeCart, type Result, resultOf } from './rehearsal.js'
import { type CaseRun, runCase } from './run-case.js'

/** What makes cases comparable: learnt from carts of which nothing went wrong. */
export interface Learnt {
  readonly result: Result
  /** Undefined when nothing can be judged by it. */
  readonly reference: Reference | undefined
}

/**
 * Plays two carts with nothing going wrong. They show what a cart's payments are, whether carts have prices of
 * their own, and that the act makes a payment for each cart.
 *
 * @param kind which payments are meant; payins when there are some, unless told
 * @param price what a cart costs, where the user says so
 */
export async function learn(
  context: RunContext,
  firstCart: number,
  kind?: Kind,
  price?: Money,
): Promise<Learnt> {
  const target = {
    route: createRoute(kind ?? 'payin'),
    kind: kind ?? 'payin',
    patienceMs: context.patienceMs,
    actMs: 0,
  }
  // A shop that nobody has set up for this gateway should hear of it soon.
  const soon: RunContext = { ...context, ...(context.longer && { longer: { ms: 0 } }) }
  const first = await runCase(clean, firstCart, target, soon)
  const seen = kind ?? (first.evidence.payments.some((one) => one.kind === 'payin') ? 'payin' : 'payout')
  const mine = first.evidence.payments.filter((one) => one.kind === seen)
  const [payment] = mine
  const others = first.evidence.payments.length - mine.length
  const actMs = first.evidence.acts[0]?.tookMs ?? 0
  const isCalledBack = first.activity.payments.some(({ callbackUrl }) => callbackUrl !== undefined)
  const own: Reference = {
    kind: seen,
    others,
    order: undefined,
    actMs,
    isCalledBack,
    ...(price && { price }),
  }
  const verdict = judge(clean, first.evidence, own)
  if (payment === undefined || mine.length > 1) return unlearnt(first, verdict)
  const { said, delivered } = first.evidence
  // What doesn't show that all went well can't show that something went wrong.
  if ((said !== undefined && said !== 'paid') || delivered?.last === 0) return unlearnt(first, verdict)
  closeCart(first, own, context)
  const second = await runCase(clean, firstCart + 1, { ...target, kind: seen }, soon)
  const next = second.evidence.payments.find((one) => one.kind === seen)
  if (next === undefined) {
    const sentence = 'none for a second cart: the act has to carry {n}, the number of the cart'
    return unlearnt(second, { outcome: 'wrong', sentence })
  }
  context.carts.areNamed = first.isNamed && second.isNamed
  const hasOnePrice =
    next.money.amount === payment.money.amount && next.money.currencyCode === payment.money.currencyCode
  // Where each cart pays somebody else, none can be held against the first one's.
  const account = next.account === payment.account ? payment.account : undefined
  const reference = hasOnePrice ? { ...own, order: { money: payment.money, account } } : own
  closeCart(second, reference, context)
  const again = judge(clean, second.evidence, reference)
  const [run, worse] = again.outcome === 'wrong' ? [second, again] : [first, verdict]
  return { result: resultOf(clean, [{ run, verdict: worse, round: 0 }]), reference }
}

function unlearnt(run: CaseRun, verdict: Verdict): Learnt {
  return { result: resultOf(clean, [{ run, verdict, round: 0 }]), reference: undefined }
}
