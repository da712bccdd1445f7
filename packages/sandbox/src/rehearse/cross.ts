import { abortable } from '../common/limit.js'
import type { Crossing, Event } from './case.js'
import type { Scene } from './scene.js'
import { gate, sleep } from './waiting.js'

/** How long the first event may take to its first request to the gateway, and the second, which may wait for the first. */
const FIRST_STEP_MS = 3000
const STEP_MS = 700
const NOTIFIED_MS = 150
/** How long it may take from there to its end. */
const END_MS = 4000
/** Nobody holds a response for longer. */
const HELD_MS = 30_000

type Happen = Readonly<Record<Event, () => Promise<unknown>>>

/** An event that has begun: its responses are held until it is let go. */
interface Begun {
  readonly over: () => boolean
  readonly wasHeld: boolean
  letGo(): void
}

/** The gateway holds the responses to whoever has to wait, so that the order of their steps is the schedule's. */
export async function cross(scene: Scene, { events, schedules }: Crossing, happen: Happen): Promise<void> {
  const { activity, part } = scene
  const schedule = schedules[part.round] ?? ''
  scene.note('gateway', `lets go on, one after another: ${stepsOf(events, schedule)}`)
  const begun: (Begun | undefined)[] = [undefined, undefined]
  const ends: Promise<unknown>[] = []

  async function begin(event: Event): Promise<Begun> {
    const { opened, open: letGo } = gate()
    const hold = part.gateway.fault({
      route: '*',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'delay', ms: HELD_MS },
      // A callback of before may request the status while the action waits.
      match: (request) => (event !== 'action' || request.method === 'POST') && activity.owns(request),
      until: () => opened,
    })
    let isOver = false
    const end = happen[event]().finally(() => {
      isOver = true
    })
    end.catch(() => {})
    ends.push(end)
    try {
      await scene.until(() => isOver || hold.hits > 0, ends.length === 1 ? FIRST_STEP_MS : STEP_MS)
      // An outbox sends after the action what the action has stored.
      if (event === 'action' && isOver && ends.length === 1) await scene.until(() => hold.hits > 0)
      // The create's own callback follows, which is not the one that is meant.
      if (event === 'action' && hold.hits > 0) await scene.quiet(NOTIFIED_MS, STEP_MS)
      return { over: () => isOver, wasHeld: hold.hits > 0, letGo }
    } catch (error) {
      letGo()
      throw error
    } finally {
      hold.remove()
    }
  }

  try {
    for (const letter of schedule) {
      const at = letter === 'A' ? 0 : 1
      const event = events[at]
      const mine = begun[at]
      if (mine === undefined) {
        if (event !== undefined) begun[at] = await begin(event)
        continue
      }
      // Of an outbox, what comes after the response is over when it asks no more.
      const isLater = mine.wasHeld && mine.over()
      mine.letGo()
      if (isLater) await sleep(NOTIFIED_MS, part.signal)
      await scene.until(mine.over, END_MS)
    }
  } finally {
    for (const one of begun) one?.letGo()
  }
  await abortable(Promise.allSettled(ends), part.signal)
  // One after the other nothing has to be held.
  const isApart = /^(.)\1(.)\2$/.test(schedule)
  const first = begun[schedule.startsWith('A') ? 0 : 1]
  if (!isApart && first?.wasHeld !== true) {
    scene.miss('the first asked the gateway nothing at which it could be crossed')
  }
}

/** Why nobody was called back. */
export const NO_CALLBACK = 'no callback was sent: the create names no callbackUrl'

/** Lets a callback cross another one, or a visit, when the payment has succeeded and nobody was notified. */
export async function crossCallbacks(scene: Scene): Promise<void> {
  const { activity, part } = scene
  const { crossing } = part.one
  if (crossing?.events[0] !== 'callback') return
  if (scene.payments.length === 0) {
    scene.payOthers()
    await scene.until(() => scene.payments.length > 0)
    await scene.quiet(part.calmMs)
  }
  const [payment] = scene.payments
  if (payment === undefined) return scene.miss('there was none to call back about')
  const { kind, id, callbackUrl } = payment
  if (callbackUrl === undefined) return scene.miss(NO_CALLBACK)
  const withheld = part.gateway.callbackFault({ kind, id, action: { kind: 'missing' } })
  payment.pay()
  withheld.remove()
  const callback = async () => {
    const before = activity.callbacks.length
    payment.sendCallback()
    await scene.until(() => {
      const sent = activity.callbacks[before]
      return sent?.response !== undefined || sent?.error !== undefined
    })
  }
  const visit = () => scene.visit()
  await cross(scene, crossing, { callback, visit, action: visit })
}

/** Such as `callback, visit, callback, visit`: who takes a step. */
export function stepsOf([a, b]: Crossing['events'], schedule: string): string {
  const [first, second] = a === b ? [`${a} 1`, `${b} 2`] : [a, b]
  return [...schedule].map((letter) => (letter === 'A' ? first : second)).join(', ')
}
