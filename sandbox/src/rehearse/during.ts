import { limited } from '../../../src/client/input/limit.js'
import { type During, momentOf } from './case.js'
import { cross } from './cross.js'
import type { ActRecord } from './evidence.js'
import type { Scene } from './scene.js'
import { sleep, waitUntil } from './waiting.js'

/** How long nobody listens at the gateway. */
const REFUSED_MS = 1000

interface FirstAct {
  readonly act: Promise<ActRecord>
  /** Fires when the act has ended. */
  readonly over: AbortSignal
  /** Ends the act, where the act is the application. */
  readonly killed: AbortController
}

/** Begins the first act and does what the case does meanwhile; returns why that did not happen. */
type Happening = (scene: Scene, begin: () => FirstAct) => Promise<string | undefined>

const happenings: Readonly<Record<During | 'nothing', Happening>> = {
  nothing: async (_scene, begin) => {
    begin()
    return undefined
  },
  'act at once': async (scene, begin) => {
    begin()
    await scene.act()
    return undefined
  },
  'act on arrival': async (scene, begin) => {
    if (!(await arrives(() => scene.armed.hasHit, scene, begin()))) return 'no request came to order again at'
    await scene.act()
    return undefined
  },
  'pay before the answer': async (scene, begin) => {
    const isThere = await arrives(() => scene.payments.length > 0, scene, begin())
    if (!isThere) return 'there was none to pay so early'
    await scene.payNow()
    return undefined
  },
  'kill on arrival': async (scene, begin) => {
    const first = begin()
    if (!(await arrives(() => scene.armed.hasHit, scene, first))) return 'no request came at which to kill'
    const isProgram = scene.part.application.restart === undefined
    return isProgram && first.over.aborted ? 'the act had ended before it was killed' : kill(scene, first)
  },
  'kill at any moment': async (scene, begin) => {
    const { one, round, signal } = scene.part
    const first = begin()
    await sleep(momentOf(one, round, scene.part), signal)
    return kill(scene, first)
  },
  'refuse connections': refuse,
}

/** The first act, with what the case does meanwhile: until the act is over, or a shop has sent what the act began. */
export async function firstActs(scene: Scene): Promise<string | undefined> {
  const { crossing, during = 'nothing' } = scene.part.one
  if (crossing?.events[0] === 'act') {
    const act = () => scene.act()
    const unmet = await cross(scene, crossing, { act, callback: () => scene.payNow(), visit: act })
    const isTold = scene.activity.callbacks.some(({ paymentStatus }) => paymentStatus === 'SUCCESS')
    if (!crossing.events.includes('callback') || isTold) return unmet
    return unmet ?? 'no callback came while the act waited'
  }
  const begun: Promise<ActRecord>[] = []
  const begin = (): FirstAct => {
    const over = new AbortController()
    const killed = new AbortController()
    const act = scene.act(killed.signal).finally(() => over.abort())
    begun.push(act)
    return { act, over: over.signal, killed }
  }
  const unmet = await happenings[during](scene, begin).finally(() => Promise.allSettled(begun))
  await Promise.all(begun)
  return unmet
}

/** Until the act is over, whichever way; an abort of the whole is seen by everybody else. */
function whileActing(holds: () => boolean, withinMs: number, { part }: Scene, { over }: FirstAct) {
  const signals = [part.signal, over]
  return limited({ signals }, (ends) => waitUntil(holds, withinMs, ends)).catch(() => holds())
}

/** Waits for what the act makes the application send: during the act, or after it, as an outbox does. */
async function arrives(holds: () => boolean, scene: Scene, first: FirstAct): Promise<boolean> {
  if (await whileActing(holds, scene.part.patienceMs, scene, first)) return true
  if ((await first.act).end !== 'done' || scene.payments.length > 0) return holds()
  scene.payOthers()
  return scene.until(holds)
}

/** Nobody listens at the gateway for a moment, which begins before the act. */
async function refuse(scene: Scene, begin: () => FirstAct): Promise<string | undefined> {
  const { own, signal, waitMs } = scene.part
  const closed = await own?.refuseConnections()
  if (closed === undefined) return 'the gateway did not refuse'
  scene.note('gateway', 'refuses connections')
  const first = begin()
  try {
    await whileActing(() => false, REFUSED_MS, scene, first)
    // Without the gateway the act failed or waited: it was refused.
    if (!first.over.aborted || (await first.act).end !== 'done') return undefined
    if (!(await closed.cutOffNext(waitMs, signal))) return 'the application called nobody meanwhile'
    scene.note('gateway', 'cuts the first connection off, and refuses the next')
    await sleep(REFUSED_MS, signal)
    return undefined
  } finally {
    await closed.open()
    scene.note('gateway', 'listens again')
  }
}

function kill(scene: Scene, { killed }: FirstAct): Promise<string | undefined> {
  killed.abort(new Error('killed'))
  return scene.restart('is killed')
}
