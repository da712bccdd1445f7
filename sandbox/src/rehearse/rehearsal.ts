import { type Case, clean, createRoute } from './cases.js'
import type { RunContext } from './context.js'
import type { ActRecord, CountedPayment, Reference } from './evidence.js'
import type { Kind, Route } from './gateway.js'
import type { HistoryLine } from './history.js'
import { judge, skipped, type Verdict } from './judge.js'
import { type CaseRun, runCase } from './run-case.js'

/** How one case went. */
export interface Result {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  /** The number of the cart; undefined where nothing was played. */
  readonly cart: number | undefined
  readonly acts: readonly ActRecord[]
  /** What the gateway holds for the cart. */
  readonly payments: readonly Omit<CountedPayment, 'account'>[]
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

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
 */
export async function learn(context: RunContext, firstCart: number, kind?: Kind): Promise<Learnt> {
  const target = {
    route: createRoute(kind ?? 'payin'),
    kind: kind ?? 'payin',
    patienceMs: context.patienceMs,
  }
  const first = await runCase(clean, firstCart, target, context)
  const seen = kind ?? (first.evidence.payments.some((one) => one.kind === 'payin') ? 'payin' : 'payout')
  const mine = first.evidence.payments.filter((one) => one.kind === seen)
  const [payment] = mine
  const others = first.evidence.payments.length - mine.length
  const own: Reference = { kind: seen, others, order: undefined }
  const verdict = judge(clean, first.evidence, own)
  if (payment === undefined || mine.length > 1) {
    return { result: resultOf(clean, first, verdict), reference: undefined }
  }
  const second = await runCase(clean, firstCart + 1, { ...target, kind: seen }, context)
  const next = second.evidence.payments.find((one) => one.kind === seen)
  if (next === undefined) {
    const sentence = 'none for a second cart: the act has to carry {n}, the number of the cart'
    const failed: Verdict = { outcome: 'failed', sentence }
    return { result: resultOf(clean, second, failed), reference: undefined }
  }
  const hasOnePrice =
    next.money.amount === payment.money.amount && next.money.currencyCode === payment.money.currencyCode
  // Where each cart pays somebody else, none can be held against the first one's.
  const account = next.account === payment.account ? payment.account : undefined
  const reference = hasOnePrice ? { ...own, order: { money: payment.money, account } } : own
  const again = judge(clean, second.evidence, reference)
  const worse = again.outcome === 'failed' ? resultOf(clean, second, again) : resultOf(clean, first, verdict)
  return { result: worse, reference }
}

/**
 * Plays one case and judges it.
 *
 * @param route the endpoint whose answer goes wrong
 */
export async function rehearse(
  one: Case,
  cart: number,
  reference: Reference,
  context: RunContext,
  route: Route = createRoute(reference.kind),
): Promise<Result> {
  const impossible = whyNot(one, context) ?? whyNotAt(one, route)
  if (impossible !== undefined) return notPlayed(one, impossible)
  const run = await runCase(
    one,
    cart,
    { kind: reference.kind, route, patienceMs: context.patienceMs },
    context,
  )
  return resultOf(one, run, judge(one, run.evidence, reference))
}

/** Why a case can't be played in this context; undefined when it can. */
export function whyNot(one: Case, { application, gateway }: Pick<RunContext, 'application' | 'gateway'>) {
  const { name } = one
  if (name === 'killed' && application.restart === undefined && application.actIsProgram !== true) {
    return 'not played: nobody said how the application is started'
  }
  if (name === 'refused' && gateway.refuseConnections === undefined) {
    return "not played: this gateway can't stop listening"
  }
  return undefined
}

/** What happens to a create means nothing at another endpoint. */
function whyNotAt({ of }: Case, route: Route): string | undefined {
  const isCreate = route === createRoute('payin') || route === createRoute('payout')
  return of === 'create' && !isCreate ? 'not played: it happens to a create only' : undefined
}

export function notPlayed({ name, title }: Case, sentence: string): Result {
  return {
    name,
    title,
    verdict: skipped(sentence),
    cart: undefined,
    acts: [],
    payments: [],
    history: [],
    tookMs: 0,
  }
}

function resultOf({ name, title }: Case, run: CaseRun, verdict: Verdict): Result {
  const { cart, evidence, history, tookMs } = run
  // The account stays here.
  const payments = evidence.payments.map(({ kind, id, status, money }) => ({ kind, id, status, money }))
  return { name, title, verdict, cart, acts: evidence.acts, payments, history, tookMs }
}
