import { NotKilled } from './application.js'
import { type Case, clean, createRoute } from './cases.js'
import type { RunContext } from './context.js'
import type { ActRecord, CountedPayment, Reference } from './evidence.js'
import type { Kind, Money, Route } from './gateway.js'
import type { HistoryLine } from './history.js'
import { judge, perhapsEarlier, skipped, type Verdict } from './judge.js'
import { type CaseRun, runCase } from './run-case.js'
import { waitForQuiet } from './waiting.js'

/** How one case went. */
export interface Result {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  /** The number of the cart; undefined where nothing was played. */
  readonly cart: number | undefined
  readonly acts: readonly ActRecord[]
  /** What the gateway holds for the cart. */
  readonly payments: readonly Omit<CountedPayment, 'account' | 'mayBeEarlier'>[]
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
  }
  // A shop that nobody has set up for this gateway should hear of it soon.
  const soon: RunContext = { ...context, longer: { ms: 0 } }
  const first = await runCase(clean, firstCart, target, soon)
  const seen = kind ?? (first.evidence.payments.some((one) => one.kind === 'payin') ? 'payin' : 'payout')
  const mine = first.evidence.payments.filter((one) => one.kind === seen)
  const [payment] = mine
  const others = first.evidence.payments.length - mine.length
  const own: Reference = { kind: seen, others, order: undefined, ...(price && { price }) }
  const verdict = judge(clean, first.evidence, own)
  if (payment === undefined || mine.length > 1) {
    return { result: resultOf(clean, first, verdict), reference: undefined }
  }
  const { said, delivered } = first.evidence
  // What doesn't show that all went well can't show that something went wrong.
  if ((said !== undefined && said !== 'paid') || delivered?.last === 0) {
    return { result: resultOf(clean, first, verdict), reference: undefined }
  }
  const second = await runCase(clean, firstCart + 1, { ...target, kind: seen }, soon)
  const next = second.evidence.payments.find((one) => one.kind === seen)
  if (next === undefined) {
    const sentence = 'none for a second cart: the act has to carry {n}, the number of the cart'
    const failed: Verdict = { outcome: 'failed', sentence }
    return { result: resultOf(clean, second, failed), reference: undefined }
  }
  context.carts.areNamed = first.isNamed && second.isNamed
  const hasOnePrice =
    next.money.amount === payment.money.amount && next.money.currencyCode === payment.money.currencyCode
  // Where each cart pays somebody else, none can be held against the first one's.
  const account = next.account === payment.account ? payment.account : undefined
  const reference = hasOnePrice ? { ...own, order: { money: payment.money, account } } : own
  closeCart(first, reference, context)
  closeCart(second, reference, context)
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
  context.own?.renewLimit()
  const target = { kind: reference.kind, route, patienceMs: context.patienceMs }
  if (route.startsWith('POST /auth-tokens') || one.plan(target).revokes) await context.own?.revokeTokens()
  const run = await runCase(one, cart, target, context)
  const verdict = judge(one, run.evidence, reference)
  const end = await context.application.ended?.()
  if (verdict.outcome === 'failed' || end !== undefined) await beginAnew(context)
  closeCart(run, reference, context)
  if (end === undefined) return resultOf(one, run, verdict)
  const sentence = `${verdict.sentence}; the application has ended by itself (${end}), and was started again`
  return resultOf(one, run, { ...verdict, sentence })
}

/** What a case has left behind must not be held against the next one: dead tokens, waits, an application that is gone. */
async function beginAnew({ application, calmMs, gateway, signal, waitMs }: RunContext): Promise<void> {
  try {
    await application.restart?.(signal)
  } catch (error) {
    if (!(error instanceof NotKilled)) throw error
  }
  // What an outbox sends now still belongs to this cart.
  await waitForQuiet(gateway, 3 * calmMs, waitMs, signal)
}

/** A case that was judged, and whose cart got another payment when a later one was played. */
export function withSurplus(result: Result, { kind }: Reference): Result {
  const sentence = `a ${kind} too many: it was created for the first time when a later cart was played`
  return { ...result, verdict: { outcome: 'failed', sentence } }
}

/** Writes down what the cart has got, and which payments came for earlier carts. */
function closeCart({ activity, cart, evidence }: CaseRun, reference: Reference, { carts }: RunContext): void {
  const expected = { payin: reference.others, payout: reference.others, [reference.kind]: 1 }
  const payments = activity.counted()
  const of = (kind: Kind) => payments.filter((payment) => payment.kind === kind)
  const found = { payin: of('payin').length, payout: of('payout').length }
  for (const kind of ['payin', 'payout'] as const) {
    const surplus = Math.max(0, found[kind] - expected[kind])
    const perhapsLate = perhapsEarlier(of(kind), Math.min(surplus, evidence.missing[kind]))
    carts.addPerhapsLate(kind, perhapsLate)
    found[kind] -= perhapsLate
  }
  carts.close(cart, expected, found)
  for (const one of activity.late()) carts.addLate(one.kind, one.cart)
}

/** Why a case can't be played in this context; undefined when it can. */
export function whyNot(one: Case, { application, own }: Pick<RunContext, 'application' | 'own'>) {
  const { name, needs } = one
  if (needs === 'start' && application.restart === undefined && application.actIsProgram !== true) {
    return 'not played: nobody said how the application is started'
  }
  if (needs === 'status' && application.status === undefined) {
    return 'not played: nobody said where the application shows that it is paid'
  }
  if (name === 'refused' && own === undefined) {
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
