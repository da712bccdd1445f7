import { abortable } from '../common/limit.js'
import { act, actUntilDone, untilSent } from './actions.js'
import { Activity, isOpen } from './activity.js'
import type { ReadStatus } from './application.js'
import { happenings } from './at-payment.js'
import { laterMsOf } from './case.js'
import type { RunContext } from './context.js'
import type { Asked, Evidence, Prepared } from './evidence.js'
import { type HistoryLine, historyOf } from './history.js'
import { judge, type Verdict } from './judge.js'
import { type Part, Scene } from './scene.js'
import {
  ASK_AGAIN_MS,
  answerTo,
  sleep,
  stillMsOf,
  waitForApplication,
  waitForQuiet,
  waitUntil,
} from './waiting.js'

export interface Played {
  readonly round: number
  readonly order: number
  readonly evidence: Evidence
  readonly verdict: Verdict
  /** Goes on counting what comes for the order. */
  readonly activity: Activity
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
  /** How the application has ended by itself meanwhile; undefined where it runs. */
  readonly end?: string | undefined
}

const NO_CALLBACK = 'no callback was sent: the create names no callbackUrl'
/** A payout may follow its payin, and another one that. */
const MOST_ROUNDS = 4

/** A case whose first actions are over. */
export interface Begun {
  readonly scene: Scene
  readonly prepared: Prepared | undefined
  readonly start: number
}

/** Arms a case, has a person act, lets time pass until the payment is final, and writes down what is found. */
export async function runCase(part: Part): Promise<Played> {
  return finish(await begin(part))
}

export async function begin(part: Part): Promise<Begun> {
  const start = performance.now()
  part.begins?.(part.one.name)
  const prepared = await prepare(part.order, part)
  // So that the application asks for one.
  if (part.one.revokes) await part.gateway.revokeTokens()
  const scene = new Scene(part)
  if (prepared !== undefined) scene.note('customer', `has done what goes before: ${prepared.says}`)
  try {
    if (isReady(prepared)) await act(scene)
    return { scene, prepared, start }
  } catch (error) {
    scene.end()
    throw error
  }
}

export async function finish({ scene, prepared, start }: Begun): Promise<Played> {
  const { activity, notes, part } = scene
  const { one, order, reference, round } = part
  try {
    const evidence = isReady(prepared) ? await play(scene, prepared) : notBegun(prepared)
    const tookMs = Math.round(performance.now() - start)
    const verdict = judge(one, evidence, reference)
    return { round, order, evidence, verdict, activity, history: historyOf(activity, notes), tookMs }
  } finally {
    scene.end()
    if (laterMsOf(one) !== undefined && !part.signal.aborted) await endLater(part)
  }
}

/** Such as the order that is refunded. Nothing is armed meanwhile, and none of it is counted. */
async function prepare(order: number, context: RunContext): Promise<Prepared | undefined> {
  const { application, calmMs, orders, gateway, patienceMs, signal, waitMs } = context
  const action = application.before?.bind(application)
  if (action === undefined) return undefined
  const activity = new Activity(orders, order)
  const seen = await answerTo((ends) => action(order, ends), patienceMs, signal)
  if (seen.end !== 'done') return seen
  await waitUntil(() => activity.payments.length > 0, waitMs, signal)
  for (const payment of activity.payments) payment.pay()
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => activity.requests.length, calmMs, context)
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  return more.length > 0 ? seen : { ...seen, paid }
}

function isReady(prepared: Prepared | undefined): prepared is undefined | (Prepared & { end: 'done' }) {
  return prepared === undefined || prepared.end === 'done'
}

function notBegun({ says }: Prepared): Evidence {
  const none = { actions: [], payments: [], asked: [], missing: { payin: 0, payout: 0 }, saidTooEarly: false }
  return { ...none, notBegun: says, unmet: undefined, said: undefined }
}

async function play(scene: Scene, prepared: Prepared | undefined): Promise<Evidence> {
  const { actions, activity, part } = scene
  const { application, calmMs, orders } = part
  const { after, end, returns, shows } = part.one
  await actUntilDone(scene)
  await untilSent(scene)
  if (returns) await scene.comeBack()
  if (after === 'a while') await sleep(part.whileMs, part.signal)
  const early = await scene.askAndNote()
  const wasPaid = scene.isPaid
  const askedBefore = activity.requests.length
  await payAll(scene)
  // A sweep comes later, and must not take for paid what nobody has paid.
  if (end ?? shows) await scene.until(() => activity.requests.length > askedBefore, stillMsOf(part))
  await askUntilPaid(scene)
  const isNotified = activity.callbacks.length > 0 || activity.requests.some(({ method }) => method === 'GET')
  // Where nobody was notified of the end and nobody asks, nothing follows.
  if (isNotified || application.status !== undefined) {
    await waitForQuiet(() => activity.requests.length, calmMs, part)
  }
  // What was delivered a second time shows only now.
  const last = await scene.askAndNote()
  const hasReacted = activity.requests.length > askedBefore ? last?.delivered !== 0 : isDone(last)
  const unseen = whyUnmet(scene) ?? (hasReacted ? undefined : await whyStopped(scene))
  if (unseen !== undefined) scene.miss(unseen)
  return {
    actions: actions.toSorted((a, b) => a.at - b.at),
    said: last?.says,
    saidTooEarly: early?.says === 'paid' && !wasPaid,
    ...(last?.delivered !== undefined && {
      delivered: { early: wasPaid ? 0 : (early?.delivered ?? 0), last: last.delivered },
    }),
    ...(shows !== undefined && { shows }),
    ...(prepared?.paid && { before: refundable(prepared.paid, activity, part) }),
    payments: activity.counted(),
    asked: activity.asked(),
    missing: orders.missing,
    borrows: orders.borrows(part.order),
    mayTakeLonger: part.longer !== undefined,
    unmet: scene.unmet,
    skipped: scene.skipped,
  }
}

/** Also what comes of it: a payout may follow when its payin is paid, long after the action. */
async function payAll(scene: Scene): Promise<void> {
  const { activity, armed, part } = scene
  const { calmMs, gateway, signal } = part
  const { atPayment, end = 'SUCCESS', moreCallbacks } = part.one
  // Whoever has sent nothing in all its time has nothing to be paid.
  if (activity.payments.length === 0) return
  const isThere = () => scene.payments.length > 0
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = activity.payments.filter(isOpen)
    if (open.length === 0 && isThere()) return
    // What earlier callbacks look up is not what goes wrong.
    await abortable(gateway.idle(), signal)
    const isMine = ({ kind }: { readonly kind: string }) => kind === part.reference.kind
    const pay = () => {
      for (const payment of open) payment.setStatus(isMine(payment) ? end : 'SUCCESS')
      if (moreCallbacks === undefined) return
      for (const payment of open) payment.sendCallback({ times: moreCallbacks })
    }
    if (atPayment === undefined || !open.some(isMine)) pay()
    else await happenings[atPayment](scene, pay)
    await abortable(gateway.idle(), signal)
    const wasThere = isThere()
    if (!wasThere && !(await scene.until(() => isThere() || armed.isMet))) return
    if (wasThere && !armed.isMet) continue
    if (armed.isMet) await sleep(armed.holdMs, signal)
    await scene.quiet(3 * calmMs)
    armed.endLasting()
    // What a callback has begun begins again when that comes again.
    if (armed.lasts) await scene.until(() => activity.isSentAgain)
  }
}

async function endLater({ application, gateway, signal }: RunContext): Promise<void> {
  gateway.clearFaults()
  await application.restart?.(signal)
}

/** Why a fault has met nothing of this order; undefined when it has. What happens meanwhile is seen by itself. */
function whyUnmet(scene: Scene): string | undefined {
  const { activity, armed, part } = scene
  const { callbackFault, moreCallbacks } = part.one
  const laterMs = laterMsOf(part.one)
  if (laterMs !== undefined) return whyNotLater(scene, laterMs)
  if (moreCallbacks !== undefined) return activity.callbacks.length > 0 ? undefined : NO_CALLBACK
  if (armed.isEmpty || armed.hasHit) return undefined
  return callbackFault === undefined ? 'nothing met what was armed' : NO_CALLBACK
}

/** The application shows its clock when it asks for a token (section 5.3), and in the Date of its responses. */
function whyNotLater({ activity, clockMs }: Scene, laterMs: number): string | undefined {
  const isAfter = (ms: number) => ms > Date.now() + laterMs / 2
  const isLater = activity.requests.some(({ route, bodyText }) => {
    const [, digits = ''] = /"timestamp":\s*(\d+)/.exec(bodyText) ?? []
    const sentAtMs = Number(digits) * (digits.length > 11 ? 1 : 1000)
    return route?.startsWith('POST /auth-tokens') === true && isAfter(sentAtMs)
  })
  return isLater || isAfter(clockMs) ? undefined : "the application's clock was not seen to be later"
}

/** libfaketime stops the timers of some programs, such as `time.sleep` of Python 3.11: they have shown nothing. */
async function whyStopped(scene: Scene): Promise<string | undefined> {
  if (laterMsOf(scene.part.one) === undefined) return undefined
  await endLater(scene.part)
  await askUntilPaid(scene)
  return isDone(await scene.askAndNote())
    ? 'the application did nothing until its clock was right again: libfaketime may have stopped its timers'
    : undefined
}

function isDone(status?: ReadStatus): boolean {
  return status?.says === 'paid' && status.delivered !== 0
}

/** Asks until the application has done what it should, as long as it may take; once, when nobody has paid. */
async function askUntilPaid(scene: Scene): Promise<void> {
  const isPaidThere = scene.isPaid && scene.part.one.shows === undefined
  const hasDone = async () => {
    const status = await scene.askAndNote()
    if (status === undefined || isDone(status) || !isPaidThere) return true
    await sleep(ASK_AGAIN_MS, scene.part.signal)
    return false
  }
  const start = performance.now()
  if (!(await waitForApplication(hasDone, scene.part)) || !isPaidThere) return
  scene.part.pace.ms = Math.max(scene.part.pace.ms, performance.now() - start)
}

/** What was paid before, and to whom it may go back: to whomever the action names, or else to who has paid. */
function refundable(paid: Asked, activity: Activity, { application }: RunContext): Asked {
  const text = application.actionText?.replaceAll(/\s/g, '') ?? ''
  const isNamed = activity.asked().some(({ account }) => account !== undefined && text.includes(account))
  return { money: paid.money, account: isNamed ? undefined : paid.account }
}
