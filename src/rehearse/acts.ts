import type { ActAnswer } from './application.js'
import type { Armed } from './armed.js'
import type { Plan } from './cases.js'
import type { ActRecord } from './evidence.js'
import type { Kind } from './gateway.js'
import type { Stage } from './stage.js'
import type { Note } from './story.js'
import { orAborted, pause, until } from './waits.js'
import type { Window } from './window.js'

/** What goes with the acts of one cart. */
export interface Scene {
  readonly stage: Stage
  readonly window: Window
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
export async function actUntilDone(plan: Plan, cart: number, scene: Scene): Promise<ActRecord[]> {
  const acts: ActRecord[] = []
  while (acts.length < MOST_ACTS && acts.at(-1)?.end !== 'done') {
    if (acts.length > 0) await pause(scene.stage.calmMs, scene.stage.signal)
    const isFirst = acts.length === 0
    acts.push(isFirst ? await firstAct(plan, cart, scene) : await actOnce(cart, scene))
    // What has met nothing yet goes on: a payout may come long after the act, when its payin is paid.
    if (isFirst) scene.armed.endLasting()
  }
  return acts
}

/** The first act, with what the case does meanwhile. */
async function firstAct(plan: Plan, cart: number, scene: Scene): Promise<ActRecord> {
  const over = new AbortController()
  const killed = new AbortController()
  const reopen = plan.meanwhile === 'refuse' ? await refuse(scene) : undefined
  const event = meanwhile(plan, scene, { over: over.signal, killed, reopen })
  // Looked at below; a rejection before that must not end the process.
  event.catch(() => {})
  try {
    return await actOnce(cart, scene, killed.signal)
  } finally {
    over.abort()
    await event
  }
}

async function refuse({ stage, note }: Scene): Promise<(() => Promise<void>) | undefined> {
  const reopen = await stage.gateway.refuseConnections?.()
  note('gateway', 'refuses connections')
  return reopen
}

interface Moment {
  /** Fires when the act has ended. */
  readonly over: AbortSignal
  /** Ends the act, where the act is the application. */
  readonly killed: AbortController
  readonly reopen: (() => Promise<void>) | undefined
}

async function meanwhile({ meanwhile: event }: Plan, scene: Scene, moment: Moment): Promise<void> {
  const { stage, window, note, armed, kind, onMeanwhile } = scene
  const { gateway, application, signal } = stage
  // Until the act is over, whichever way; an abort of the whole is seen by everybody else.
  const during = (holds: () => boolean, withinMs: number) =>
    until(holds, withinMs, AbortSignal.any([signal, moment.over])).catch(() => holds())
  if (event === 'refuse') {
    await during(() => false, REFUSED_MS)
    await moment.reopen?.()
    note('gateway', 'listens again')
    onMeanwhile()
  } else if (event === 'pay') {
    const there = () => window.payments.filter((payment) => payment.kind === kind)
    const isThere = await during(() => there().length > 0, stage.patienceMs)
    if (!isThere) return
    for (const payment of there()) payment.settle('SUCCESS')
    await orAborted(gateway.idle(), signal)
    onMeanwhile()
  } else if (event === 'kill') {
    if (!(await during(() => armed.hasHit, stage.patienceMs))) return
    note('application', 'is killed')
    moment.killed.abort(new Error('killed'))
    onMeanwhile()
    if (application.restart === undefined) return
    await application.restart(signal)
    note('application', 'has started again')
  }
}

async function actOnce(cart: number, { stage, note }: Scene, killed?: AbortSignal): Promise<ActRecord> {
  const { application, gateway, patienceMs, signal } = stage
  const at = gateway.clock.now()
  const start = performance.now()
  const impatience = new AbortController()
  const timer = setTimeout(() => impatience.abort(new Error('too slow')), patienceMs)
  const ends = [signal, impatience.signal]
  if (killed !== undefined && application.actIsProgram === true) ends.push(killed)
  note('customer', `orders cart ${cart}`)
  const answer = await answerOf(() => application.act(cart, AbortSignal.any(ends)), AbortSignal.any(ends))
  clearTimeout(timer)
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
    return await orAborted(act(), signal)
  } catch (error) {
    return {
      isDone: false,
      says: error instanceof Error && error.message === 'killed' ? 'killed' : 'no answer',
    }
  }
}
