import { limited } from '../common/limit.js'
import { type During, moments } from './case.js'
import type { ActionRecord } from './evidence.js'
import type { Scene } from './scene.js'
import { sleep, stillMsOf, waitUntil } from './waiting.js'

interface FirstAction {
  readonly action: Promise<ActionRecord>
  /** Fires when the action has ended. */
  readonly over: AbortSignal
  /** Ends the action, where the action is the application. */
  readonly killed: AbortController
}

/** Begins the first action and does what the case does meanwhile. */
type Happening = (scene: Scene, begin: () => FirstAction) => Promise<void>

const happenings: Readonly<Record<During | 'nothing', Happening>> = {
  nothing: async (_scene, begin) => {
    begin()
  },
  'action at once': async (scene, begin) => {
    begin()
    await scene.action()
  },
  'action on arrival': async (scene, begin) => {
    const isThere = await arrives(() => scene.armed.hasHit, scene, begin())
    if (!isThere) return scene.miss('no request arrived at which to order again')
    await scene.action()
  },
  'pay before the response': async (scene, begin) => {
    const isThere = await arrives(() => scene.payments.length > 0, scene, begin())
    if (!isThere) return scene.miss('there was none to pay so early')
    await scene.payNow()
  },
  'kill on arrival': async (scene, begin) => {
    const first = begin()
    const isThere = await arrives(() => scene.armed.hasHit, scene, first)
    if (!isThere) return scene.miss('no request arrived at which to kill')
    const isProgram = scene.part.application.restart === undefined
    if (isProgram && first.over.aborted) return scene.miss('the action had ended before it was killed')
    await kill(scene, first)
  },
  'kill at any moment': async (scene, begin) => {
    const { round, signal } = scene.part
    const first = begin()
    await sleep(moments[round] ?? 0, signal)
    await kill(scene, first)
  },
}

/** The first action, with what the case does meanwhile: until the action is over, or a shop has sent what the action began. */
export async function firstActions(scene: Scene): Promise<void> {
  const { during = 'nothing' } = scene.part.one
  const begun: Promise<ActionRecord>[] = []
  const begin = (): FirstAction => {
    const over = new AbortController()
    const killed = new AbortController()
    const action = scene.action(killed.signal).finally(() => over.abort())
    begun.push(action)
    return { action, over: over.signal, killed }
  }
  await happenings[during](scene, begin).finally(() => Promise.allSettled(begun))
  await Promise.all(begun)
}

/** Waits for what the action makes the application send: during the action, or after it, as an outbox does. */
async function arrives(holds: () => boolean, scene: Scene, first: FirstAction): Promise<boolean> {
  const { patienceMs, signal } = scene.part
  const whileActing = (ends: AbortSignal) => waitUntil(holds, patienceMs, ends)
  // An abort of the whole is seen by everybody else.
  if (await limited({ signals: [signal, first.over] }, whileActing).catch(holds)) return true
  if ((await first.action).end !== 'done' || scene.payments.length > 0) return holds()
  scene.payOthers()
  return scene.until(holds, stillMsOf(scene.part))
}

async function kill(scene: Scene, { killed }: FirstAction): Promise<void> {
  killed.abort(new Error('killed'))
  await scene.restart('is killed')
}
