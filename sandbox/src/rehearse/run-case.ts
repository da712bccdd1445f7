import { limited } from '../../../src/client/input/limit.js'
import { hostOf } from './act-text.js'
import { Activity } from './activity.js'
import { actUntilDone } from './acts.js'
import { type ReadStatus, restartIfPossible } from './application.js'
import { Armed } from './armed.js'
import { prepare } from './before.js'
import { carriesNumber } from './carts.js'
import type { Case, FaultPlan, Target } from './cases.js'
import type { RunContext } from './context.js'
import { cross } from './cross.js'
import type { CountedPayment, Evidence, Order } from './evidence.js'
import type { Kind } from './gateway.js'
import { type HistoryLine, historyOf, type Note } from './history.js'
import { actByHttp } from './http.js'
import { payAll } from './pay-all.js'
import type { Turn } from './turns.js'
import { abortable, sleep, waitForApplication, waitForQuiet, waitUntil } from './waiting.js'

/** A case that was played to its end. */
export interface CaseRun {
  readonly cart: number
  readonly evidence: Evidence
  /** Goes on counting what comes for the cart. */
  readonly activity: Activity
  /** Whether each payment of the cart carries its number. */
  readonly isNamed: boolean
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

/** Which round of its case it is. */
export interface Round {
  readonly round: number
  readonly turn?: Turn
  /** Whether the next round follows at once: a payment that comes late is then counted there, and is one too many all the same. */
  readonly isFollowed?: boolean
}

type NoteDown = (who: Note['who'], text: string) => void

const ASK_AGAIN_MS = 500
const NO_CALLBACK = 'no callback was sent: the create names no callbackUrl'

/** Arms a case, has a person act, lets time pass until the payment is final, and writes down what is found. */
export async function runCase(
  one: Case,
  cart: number,
  target: Target,
  context: RunContext,
  { round, turn, isFollowed }: Round = { round: 0 },
): Promise<CaseRun> {
  const { calmMs, carts, gateway, signal, waitMs } = context
  const start = performance.now()
  const known = context.prepared?.get(cart)
  // What failed may have been due to the others.
  const prepared = known?.isDone ? known : (await prepare([cart], context)).get(cart)
  await turn?.begin()
  const activity = new Activity(gateway, carts, cart)
  const notes: Note[] = []
  const note: NoteDown = (who, text) => void notes.push({ at: gateway.clock.now(), who, text })
  if (prepared !== undefined) note('customer', `has done what goes before: ${prepared.says}`)
  let newestStatus = ''
  let clockMs = Number.NaN
  const asked = async () => {
    const status = await ask(context, cart)
    if (status === undefined) return undefined
    const { says, read } = status
    const text = `says ${says === 'nothing' ? 'nothing that can be read' : says}${read && ` (${read})`}`
    if (text !== newestStatus) note('application', text)
    newestStatus = text
    clockMs = status.clockMs ?? clockMs
    return status
  }
  const ended = (evidence: Evidence): CaseRun => {
    return {
      cart,
      evidence,
      activity,
      isNamed: isNamed(activity, cart),
      history: historyOf(activity, notes),
      tookMs: Math.round(performance.now() - start),
    }
  }
  if (prepared?.isDone === false) return ended({ ...nothing, notBegun: prepared.says })
  const plan = one.plan(target, round)
  // So that the application asks for one.
  if (plan.revokes || target.route.startsWith('POST /auth-tokens')) await context.own?.revokeTokens()
  const armed = new Armed(plan, gateway, activity, calmMs)
  const isQuiet = (forMs: number) => waitForQuiet(() => activity.requests.length, forMs, waitMs, signal)
  try {
    const { acts, unmet } = await actUntilDone(plan, cart, {
      run: context,
      activity,
      note,
      armed,
      kind: target.kind,
      turn,
    })
    const isCalm = acts.length === 1 && acts.every(({ end }) => end === 'done')
    // Answers that are held have to come before anything is counted.
    const { holdMs = 0 } = plan
    const heldSince = activity.requests.findLast(({ fault }) => fault !== undefined)?.at ?? 0
    const heldMs = Math.min(holdMs, heldSince + holdMs - gateway.clock.now())
    // What was killed hears them no more, and what has started in its place was asked again.
    const isKilled = plan.meanwhile === 'kill' && acts.length > 1
    if (heldMs > 0 && !isKilled) await sleep(heldMs, signal)
    const hasSent = () => activity.payments.length > 0 || armed.isMet
    if (acts.some(({ end }) => end === 'done')) await waitForApplication(hasSent, context)
    else await waitUntil(hasSent, waitMs, signal)
    // An outbox meets it after the act, and nobody tries again.
    if (armed.isMet && !isKilled) await sleep(3 * calmMs, signal)
    armed.endLasting()
    await waitUntil(() => activity.payments.length > 0, waitMs, signal)
    await isQuiet(isCalm || isFollowed ? calmMs : 3 * calmMs)

    const stayed = plan.returns ? await comeBack(activity, context, note) : undefined
    const early = await asked()
    const wasPaid = isPaid(activity.counted(), target.kind)
    const uncrossed = await crossCallbacks(plan, activity, { kind: target.kind, note, run: context })
    const askedBefore = activity.requests.length
    await payAll(activity, { ...plan, kind: target.kind }, armed, context)
    // A sweep comes later, and must not take for paid what nobody has paid.
    if (plan.end !== undefined || plan.isShort) {
      await waitUntil(() => activity.requests.length > askedBefore, waitMs, signal)
    }
    await askUntilPaid(context, asked, isPaid(activity.counted(), target.kind) && plan.isShort !== true)
    const isTold = activity.callbacks.length > 0 || activity.requests.some(({ method }) => method === 'GET')
    // Where nobody was told of the end and nobody asks, nothing follows.
    if (isTold || context.application.status !== undefined) await isQuiet(calmMs)
    // What was delivered a second time shows only now.
    const last = await asked()

    return ended({
      acts,
      said: last?.says,
      saidTooEarly: early?.says === 'paid' && !wasPaid,
      ...(last?.delivered !== undefined && {
        delivered: { early: wasPaid ? 0 : (early?.delivered ?? 0), last: last.delivered },
      }),
      ...(plan.isShort && { isShort: plan.isShort }),
      ...(prepared?.paid && { before: refundable(prepared.paid, activity, context) }),
      payments: activity.counted(),
      orders: activity.orders(),
      missing: carts.missing,
      mayTakeLonger: context.longer !== undefined,
      unmet: unmet ?? stayed ?? uncrossed ?? whyUnmet(plan, armed, activity, clockMs),
    })
  } finally {
    armed.disarm()
    if (plan.laterMs !== undefined && !signal.aborted) await endLater(context)
  }
}

/** The time is again what it was. */
async function endLater({ application, gateway, own, signal }: RunContext): Promise<void> {
  if (own !== undefined) own.clearFaults()
  // The next request sets it right.
  else gateway.fault({ route: '*', action: { kind: 'skew-clock', ms: 0, forMs: 1 } })
  await restartIfPossible(application, signal)
}

const nothing: Evidence = {
  acts: [],
  payments: [],
  orders: [],
  missing: { payin: 0, payout: 0 },
  unmet: undefined,
  saidTooEarly: false,
  said: undefined,
}

function isNamed({ creates }: Activity, cart: number): boolean {
  return creates.length > 0 && creates.every((create) => carriesNumber(create, cart))
}

/** Why a fault has met nothing of this cart; undefined when it has. What happens meanwhile is seen by itself. */
function whyUnmet(plan: FaultPlan, armed: Armed, activity: Activity, clockMs: number): string | undefined {
  const { moreCallbacks, callbackFault, laterMs } = plan
  if (laterMs !== undefined) return whyNotLater(laterMs, activity, clockMs)
  if (moreCallbacks !== undefined) return activity.callbacks.length > 0 ? undefined : NO_CALLBACK
  // An earlier cart's create may have met it in place of this one's.
  const hasHit = armed.hasHit && (!activity.mayBeMistaken || activity.creates.some(({ fault }) => fault))
  if (armed.isEmpty || hasHit) return undefined
  return callbackFault === undefined ? 'nothing met what was armed' : NO_CALLBACK
}

/** The application shows its clock when it asks for a token (section 5.3), and in the Date of its answers. */
function whyNotLater(laterMs: number, { requests }: Activity, clockMs: number): string | undefined {
  const isAfter = (ms: number) => ms > Date.now() + laterMs / 2
  const isLater = requests.some(({ route, bodyText }) => {
    const [, digits = ''] = /"timestamp":\s*(\d+)/.exec(bodyText) ?? []
    const sentAtMs = Number(digits) * (digits.length > 11 ? 1 : 1000)
    return route?.startsWith('POST /auth-tokens') === true && isAfter(sentAtMs)
  })
  return isLater || isAfter(clockMs)
    ? undefined
    : "the application's clock was not seen to be two hours later"
}

/** Lets a callback cross another one, or a visit, when the payment has succeeded and nothing of it was told. */
async function crossCallbacks(
  { interleaving }: FaultPlan,
  activity: Activity,
  { kind, note, run }: { readonly kind: Kind; readonly note: NoteDown; readonly run: RunContext },
): Promise<string | undefined> {
  if (interleaving?.events[0] !== 'callback') return undefined
  const payment = activity.payments.find((one) => one.kind === kind)
  if (payment?.callbackUrl === undefined) return NO_CALLBACK
  const untold = run.gateway.callbackFault({ kind, id: payment.id, action: { kind: 'missing' } })
  payment.settle('SUCCESS')
  untold.remove()
  const callback = async () => {
    const before = activity.callbacks.length
    payment.sendCallback()
    const isAnswered = () => {
      const sent = activity.callbacks[before]
      return sent?.answer !== undefined || sent?.error !== undefined
    }
    await waitUntil(isAnswered, run.waitMs, run.signal)
  }
  const visitor = () => visit(activity.cart, run, note)
  return cross(interleaving, { callback, visit: visitor, act: visitor }, activity, note, run)
}

/** What was paid before, and to whom it may go back: to whomever the act names, or else to who has paid. */
function refundable(paid: Order, activity: Activity, { application }: RunContext): Order {
  const text = application.actText?.replaceAll(/\s/g, '') ?? ''
  const isNamed = activity.orders().some(({ account }) => account !== undefined && text.includes(account))
  return { money: paid.money, account: isNamed ? undefined : paid.account }
}

function isPaid(payments: readonly CountedPayment[], wanted: Kind): boolean {
  return payments.some(({ kind, status }) => kind === wanted && status === 'SUCCESS')
}

async function ask({ application, signal }: RunContext, cart: number): Promise<ReadStatus | undefined> {
  if (application.status === undefined) return undefined
  const said = await abortable(application.status(cart, signal), signal)
  return typeof said === 'string' ? { says: said, read: '' } : said
}

/** Asks until the application has done what it should, as long as it may take; once, when nobody has paid. */
async function askUntilPaid(
  context: RunContext,
  ask: () => Promise<ReadStatus | undefined>,
  isPaidThere: boolean,
): Promise<void> {
  const isOpen = (status: ReadStatus | undefined) => {
    return status !== undefined && (status.says !== 'paid' || status.delivered === 0)
  }
  const hasDone = async () => {
    if (!isOpen(await ask()) || !isPaidThere) return true
    await sleep(ASK_AGAIN_MS, context.signal)
    return false
  }
  await waitForApplication(hasDone, context)
}

/** The customer comes back to the shop without having paid; returns why nobody could. */
async function comeBack(activity: Activity, { signal }: RunContext, note: NoteDown) {
  const url = activity.returnUrl
  if (url === undefined) return 'the create names no returnUrl'
  // A rehearsal stays on this machine.
  if (hostOf(url) === undefined) return 'the returnUrl leads to another machine'
  const { says } = await actByHttp({ method: 'GET', url, body: undefined }, activity.cart, signal)
  note('customer', `comes back by the returnUrl without having paid: ${says}`)
  return undefined
}

/** The customer acts once more and looks at the status, while the callback is on its way. */
async function visit(cart: number, context: RunContext, note: NoteDown): Promise<void> {
  const { application, patienceMs, signal } = context
  note('customer', `comes back, and orders cart ${cart} again`)
  await limited({ signals: [signal], ms: patienceMs }, async (ends) => {
    await Promise.allSettled([application.act(cart, ends), ask(context, cart), ask(context, cart)])
  })
}
