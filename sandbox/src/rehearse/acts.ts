import { limited } from '../../../src/client/input/limit.js'
import type { Activity } from './activity.js'
import { answerTo } from './answer-to.js'
import { NotKilled } from './application.js'
import type { Armed } from './armed.js'
import type { FaultPlan } from './cases.js'
import type { RunContext } from './context.js'
import { cross } from './cross.js'
import type { ActRecord } from './evidence.js'
import type { ClosedGateway, Kind } from './gateway.js'
import type { Note } from './history.js'
import type { Interleaving } from './interleavings.js'
import type { Turn } from './turns.js'
import { abortable, sleep, waitUntil } from './waiting.js'

/** What goes with the acts of one cart. */
export interface ActContext {
  readonly turn: Turn | undefined
  readonly run: RunContext
  readonly activity: Activity
  note(who: Note['who'], text: string): void
  readonly armed: Armed
  /** Which payments are meant. */
  readonly kind: Kind
}

/** What a person did, and whether what the case does meanwhile was seen to happen. */
export interface Acted {
  readonly acts: readonly ActRecord[]
  /** Why it did not happen; undefined when it did. */
  readonly unmet: string | undefined
}

const MOST_ACTS = 3
/** How long nobody listens at the gateway. */
const REFUSED_MS = 1000
const SWEEP_MS = 1500

/** An act, and the same act again while it fails or takes too long: three times at most, as a person would. */
export async function actUntilDone(plan: FaultPlan, cart: number, context: ActContext): Promise<Acted> {
  const { run, armed, turn } = context
  const first = await firstActs(plan, cart, context)
  const acts = [...first.acts]
  // An outbox meets it after the act, and has to before anybody restarts it.
  if (plan.restarts) await waitUntil(() => armed.hasHit, run.waitMs, run.signal)
  const unrestarted = plan.restarts ? await restart('is restarted', context) : await passTime(plan, context)
  turn?.end()
  await turn?.all()
  // What has met nothing yet goes on: a payout may come long after the act, when its payin is paid.
  armed.endLasting()
  let isDone = plan.restarts === undefined && acts.some(({ end }) => end === 'done')
  while (acts.length < MOST_ACTS && !isDone) {
    await sleep(run.calmMs, run.signal)
    const act = await actOnce(cart, context)
    acts.push(act)
    isDone = act.end === 'done'
  }
  return { acts, unmet: first.unmet ?? unrestarted }
}

/** The first act, with what the case does meanwhile: until the act is over, or a shop has sent what the act began. */
async function firstActs(plan: FaultPlan, cart: number, context: ActContext): Promise<Acted> {
  if (plan.interleaving?.events[0] === 'act') return crossedActs(plan.interleaving, cart, context)
  const over = new AbortController()
  const killed = new AbortController()
  const closed = plan.meanwhile === 'refuse' ? await refuse(context) : undefined
  const act = actOnce(cart, context, killed.signal).finally(() => over.abort())
  const first: FirstAct = { act, over: over.signal, killed, closed }
  const event = meanwhile(plan, context, first)
  const again = secondAct(plan, cart, context, first)
  const [acted, happened, second] = await Promise.allSettled([act, event, again])
  if (acted.status === 'rejected') throw acted.reason
  if (happened.status === 'rejected') throw happened.reason
  if (second.status === 'rejected') throw second.reason
  const acts = second.value === undefined ? [acted.value] : [acted.value, second.value]
  return { acts, unmet: happened.value }
}

/** Acts that cross each other, or the callback of what they made. */
async function crossedActs(interleaving: Interleaving, cart: number, context: ActContext): Promise<Acted> {
  const { activity, note, run } = context
  const acts: ActRecord[] = []
  const act = async () => void acts.push(await actOnce(cart, context))
  const callback = () => payNow(context)
  const unmet = await cross(interleaving, { act, callback, visit: act }, activity, note, run)
  return { acts, unmet }
}

/** Time passes at the gateway, and for the application: it is restarted with a clock that is later. */
async function passTime({ laterMs }: FaultPlan, context: ActContext): Promise<string | undefined> {
  const { activity, run } = context
  if (laterMs === undefined) return undefined
  await waitUntil(() => activity.payments.length > 0, run.waitMs, run.signal)
  const action = { kind: 'skew-clock', ms: laterMs, forMs: laterMs } as const
  const skew = run.gateway.fault({ route: '*', action })
  const unmet = await restart('is restarted', context, laterMs)
  // The clock moves at the first request, whenever that comes.
  if (unmet !== undefined) skew.remove()
  // A sweep for what was never paid comes soon.
  else await sleep(SWEEP_MS, run.signal)
  return unmet
}

/** The same act beside the first one. What has to arrive before is seen by the fault that it meets. */
async function secondAct({ secondAct: when }: FaultPlan, cart: number, context: ActContext, first: FirstAct) {
  if (when === undefined) return undefined
  if (when === 'on arrival' && !(await arrives(() => context.armed.hasHit, context, first))) return undefined
  return actOnce(cart, context)
}

async function refuse({ run, note }: ActContext): Promise<ClosedGateway | undefined> {
  const closed = await run.own?.refuseConnections()
  note('gateway', 'refuses connections')
  return closed
}

interface FirstAct {
  readonly act: Promise<ActRecord>
  /** Fires when the act has ended. */
  readonly over: AbortSignal
  /** Ends the act, where the act is the application. */
  readonly killed: AbortController
  readonly closed: ClosedGateway | undefined
}

/** Does what the case does meanwhile; returns why it did not happen. */
async function meanwhile(plan: FaultPlan, context: ActContext, first: FirstAct): Promise<string | undefined> {
  const { meanwhile: event } = plan
  if (event === 'refuse') return refuseMeanwhile(context, first)
  if (event === 'pay') return payMeanwhile(context, first)
  return event === 'kill' ? killMeanwhile(plan, context, first) : undefined
}

/** Until the act is over, whichever way; an abort of the whole is seen by everybody else. */
function during(holds: () => boolean, withinMs: number, { run }: ActContext, { over }: FirstAct) {
  const signals = [run.signal, over]
  return limited({ signals }, (ends) => waitUntil(holds, withinMs, ends)).catch(() => holds())
}

/** Waits for what the act makes the application send: during the act, or after it, as an outbox does. */
async function arrives(holds: () => boolean, context: ActContext, first: FirstAct): Promise<boolean> {
  const { run, activity } = context
  if (await during(holds, run.patienceMs, context, first)) return true
  // A payout may wait for its payin, and that is paid later.
  if ((await first.act).end !== 'done' || activity.payments.length > 0) return holds()
  return waitUntil(holds, run.waitMs, run.signal)
}

async function refuseMeanwhile(context: ActContext, first: FirstAct): Promise<string | undefined> {
  const { run, note } = context
  const { over, closed } = first
  if (closed === undefined) return 'the gateway did not refuse'
  try {
    await during(() => false, REFUSED_MS, context, first)
    // Without the gateway the act failed or waited: it was refused.
    if (!over.aborted || (await first.act).end !== 'done') return undefined
    if (!(await closed.cutOffNext(run.waitMs, run.signal))) return 'the application called nobody meanwhile'
    note('gateway', 'cuts the first connection off, and refuses the next')
    await sleep(REFUSED_MS, run.signal)
    return undefined
  } finally {
    await closed.open()
    note('gateway', 'listens again')
  }
}

async function payMeanwhile(context: ActContext, first: FirstAct): Promise<string | undefined> {
  const { activity, kind } = context
  const isThere = () => activity.payments.some((payment) => payment.kind === kind)
  if (!(await arrives(isThere, context, first))) return 'there was none to pay so early'
  await payNow(context)
  return undefined
}

/** The payments succeed, and the callbacks that tell of it are answered. */
async function payNow({ run, activity, kind }: ActContext): Promise<void> {
  for (const payment of activity.payments) if (payment.kind === kind) payment.settle('SUCCESS')
  await abortable(run.gateway.idle(), run.signal)
}

async function killMeanwhile(
  { killAfterMs }: FaultPlan,
  context: ActContext,
  first: FirstAct,
): Promise<string | undefined> {
  const { run, armed } = context
  const { application } = run
  if (killAfterMs !== undefined) {
    await sleep(killAfterMs, run.signal)
    first.killed.abort(new Error('killed'))
    return restart('is killed', context)
  }
  if (!(await arrives(() => armed.hasHit, context, first))) return 'no request came at which to kill'
  if (application.restart === undefined && first.over.aborted) return 'the act had ended before it was killed'
  first.killed.abort(new Error('killed'))
  return restart('is killed', context)
}

/** Kills the application and starts it again; returns why it did not happen. A command for each act ends by itself. */
async function restart(
  what: string,
  { run, note }: ActContext,
  laterMs?: number,
): Promise<string | undefined> {
  const { application, signal } = run
  note('application', what)
  if (application.restart === undefined) return undefined
  try {
    await application.restart(signal, laterMs)
  } catch (error) {
    if (!(error instanceof NotKilled)) throw error
    note('application', error.message)
    return error.message
  }
  note('application', laterMs === undefined ? 'has started again' : 'has started again, two hours later')
  return undefined
}

async function actOnce(cart: number, { run, note }: ActContext, killed?: AbortSignal): Promise<ActRecord> {
  const { application, gateway, patienceMs, signal } = run
  const at = gateway.clock.now()
  const start = performance.now()
  note('customer', `orders cart ${cart}`)
  const act = (ends: AbortSignal) => application.act(cart, ends)
  const dies = application.actIsProgram ? killed : undefined
  const { isDone, isTooSlow, says } = await answerTo(act, patienceMs, signal, dies)
  const tookMs = Math.round(performance.now() - start)
  const how = isDone ? 'went well' : isTooSlow ? 'takes too long' : 'failed'
  note('customer', `sees that it ${how}: ${says}`)
  return { end: isDone ? 'done' : isTooSlow ? 'too slow' : 'failed', says, at, tookMs }
}
