import { Limit, limited } from '../../../src/client/input/limit.js'
import type { Activity } from './activity.js'
import type { ActAnswer } from './application.js'
import type { Armed } from './armed.js'
import type { FaultPlan } from './cases.js'
import type { RunContext } from './context.js'
import type { ActRecord } from './evidence.js'
import type { Kind } from './gateway.js'
import type { Note } from './history.js'
import { abortable, sleep, waitUntil } from './waiting.js'

/** What goes with the acts of one cart. */
export interface ActContext {
  readonly run: RunContext
  readonly activity: Activity
  note(who: Note['who'], text: string): void
  readonly armed: Armed
  /** Which payments are meant. */
  readonly kind: Kind
  /** Called when what is to happen during the first act has happened. */
  onMeanwhile(): void
}

const MOST_ACTS = 3
/** How long nobody listens at the gateway. */
const REFUSED_MS = 1500

/** An act, and the same act again while it fails or takes too long: three times at most, as a person would. */
export async function actUntilDone(plan: FaultPlan, cart: number, context: ActContext): Promise<ActRecord[]> {
  const acts: ActRecord[] = []
  while (acts.length < MOST_ACTS && acts.at(-1)?.end !== 'done') {
    if (acts.length > 0) await sleep(context.run.calmMs, context.run.signal)
    const isFirst = acts.length === 0
    acts.push(isFirst ? await firstAct(plan, cart, context) : await actOnce(cart, context))
    // What has met nothing yet goes on: a payout may come long after the act, when its payin is paid.
    if (isFirst) context.armed.endLasting()
  }
  return acts
}

/** The first act, with what the case does meanwhile. */
async function firstAct(plan: FaultPlan, cart: number, context: ActContext): Promise<ActRecord> {
  const over = new AbortController()
  const killed = new AbortController()
  const reopen = plan.meanwhile === 'refuse' ? await refuse(context) : undefined
  const event = meanwhile(plan, context, { over: over.signal, killed, reopen })
  // Looked at below; a rejection before that must not end the process.
  event.catch(() => {})
  try {
    return await actOnce(cart, context, killed.signal)
  } finally {
    over.abort()
    await event
  }
}

async function refuse({ run, note }: ActContext): Promise<(() => Promise<void>) | undefined> {
  const reopen = await run.gateway.refuseConnections?.()
  note('gateway', 'refuses connections')
  return reopen
}

interface ActSignals {
  /** Fires when the act has ended. */
  readonly over: AbortSignal
  /** Ends the act, where the act is the application. */
  readonly killed: AbortController
  readonly reopen: (() => Promise<void>) | undefined
}

async function meanwhile(
  { meanwhile: event }: FaultPlan,
  context: ActContext,
  signals: ActSignals,
): Promise<void> {
  const { run, activity, note, armed, kind, onMeanwhile } = context
  const { gateway, application, signal } = run
  // Until the act is over, whichever way; an abort of the whole is seen by everybody else.
  const during = (holds: () => boolean, withinMs: number) =>
    limited({ signals: [signal, signals.over] }, (ends) => waitUntil(holds, withinMs, ends)).catch(() =>
      holds(),
    )
  if (event === 'refuse') {
    await during(() => false, REFUSED_MS)
    await signals.reopen?.()
    note('gateway', 'listens again')
    onMeanwhile()
  } else if (event === 'pay') {
    const there = () => activity.payments.filter((payment) => payment.kind === kind)
    const isThere = await during(() => there().length > 0, run.patienceMs)
    if (!isThere) return
    for (const payment of there()) payment.settle('SUCCESS')
    await abortable(gateway.idle(), signal)
    onMeanwhile()
  } else if (event === 'kill') {
    if (!(await during(() => armed.hasHit, run.patienceMs))) return
    note('application', 'is killed')
    signals.killed.abort(new Error('killed'))
    onMeanwhile()
    if (application.restart === undefined) return
    await application.restart(signal)
    note('application', 'has started again')
  }
}

async function actOnce(cart: number, { run, note }: ActContext, killed?: AbortSignal): Promise<ActRecord> {
  const { application, gateway, patienceMs, signal } = run
  const at = gateway.clock.now()
  const start = performance.now()
  const impatience = new Limit({ ms: patienceMs })
  const signals = [signal, impatience.signal]
  if (killed !== undefined && application.actIsProgram === true) signals.push(killed)
  note('customer', `orders cart ${cart}`)
  const answer = await limited({ signals }, (ends) => answerOf(() => application.act(cart, ends), ends))
  impatience.release()
  signal.throwIfAborted()
  const tookMs = Math.round(performance.now() - start)
  const end = answer.isDone ? 'done' : impatience.signal.aborted ? 'too slow' : 'failed'
  const says = end === 'too slow' ? `no answer within ${patienceMs / 1000} s` : answer.says
  note(
    'customer',
    end === 'done'
      ? `sees that it went well: ${says}`
      : `sees that it ${end === 'failed' ? 'failed' : 'takes too long'}: ${says}`,
  )
  return { end, says, at, tookMs }
}

async function answerOf(act: () => Promise<ActAnswer>, signal: AbortSignal): Promise<ActAnswer> {
  try {
    return await abortable(act(), signal)
  } catch (error) {
    return {
      isDone: false,
      says: error instanceof Error && error.message === 'killed' ? 'killed' : 'no answer',
    }
  }
}
