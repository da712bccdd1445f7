import type { Activity } from './activity.js'
import type { RunContext } from './context.js'
import type { Note } from './history.js'
import type { Event, Interleaving } from './interleavings.js'
import { stepsOf } from './interleavings.js'
import { abortable, gate, sleep, waitForQuiet, waitUntil } from './waiting.js'

/** How long the first event may take to its first request to the gateway, and the second, which may wait for the first. */
const FIRST_STEP_MS = 3000
const STEP_MS = 700
const TOLD_MS = 150
/** How long it may take from there to its end. */
const END_MS = 4000
/** Nobody holds an answer for longer. */
const HELD_MS = 30_000

type Happen = Readonly<Record<Event, () => Promise<unknown>>>

/** An event that has begun: its answers are held until it is let go. */
interface Begun {
  readonly over: () => boolean
  readonly wasHeld: boolean
  letGo(): void
}

/**
 * Lets two events cross: the gateway holds the answers to whoever has to wait, so that the order of their steps is
 * the interleaving's. Returns why they did not cross; undefined when they did.
 */
export async function cross(
  interleaving: Interleaving,
  happen: Happen,
  activity: Activity,
  note: (who: Note['who'], text: string) => void,
  { gateway, signal, waitMs }: RunContext,
): Promise<string | undefined> {
  const { events, order } = interleaving
  note('gateway', `lets go on, one after another: ${stepsOf(interleaving)}`)
  const begun: (Begun | undefined)[] = [undefined, undefined]
  const ends: Promise<unknown>[] = []

  async function begin(event: Event): Promise<Begun> {
    const { opened, open: letGo } = gate()
    const hold = gateway.fault({
      route: '*',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'delay', ms: HELD_MS },
      // A callback of before may look the payment up while the act waits.
      match: (request) => (event !== 'act' || request.method === 'POST') && activity.owns(request),
      until: () => opened,
    })
    let isOver = false
    const end = happen[event]().finally(() => {
      isOver = true
    })
    end.catch(() => {})
    ends.push(end)
    try {
      await waitUntil(() => isOver || hold.hits > 0, ends.length === 1 ? FIRST_STEP_MS : STEP_MS, signal)
      // An outbox sends after the act what the act has stored.
      if (event === 'act' && isOver && ends.length === 1) await waitUntil(() => hold.hits > 0, waitMs, signal)
      // What the create has made is told by a callback, which is not the one that is meant.
      if (event === 'act' && hold.hits > 0)
        await waitForQuiet(() => activity.requests.length, TOLD_MS, STEP_MS, signal)
      return { over: () => isOver, wasHeld: hold.hits > 0, letGo }
    } catch (error) {
      letGo()
      throw error
    } finally {
      hold.remove()
    }
  }

  try {
    for (const letter of order) {
      const at = letter === 'A' ? 0 : 1
      const event = events[at]
      const mine = begun[at]
      if (mine === undefined) {
        if (event !== undefined) begun[at] = await begin(event)
        continue
      }
      // Of an outbox, what comes after the answer is over when it asks no more.
      const isLater = mine.wasHeld && mine.over()
      mine.letGo()
      if (isLater) await sleep(TOLD_MS, signal)
      await waitUntil(mine.over, END_MS, signal)
    }
  } finally {
    for (const one of begun) one?.letGo()
  }
  await abortable(Promise.allSettled(ends), signal)
  // One after the other nothing has to be held.
  const isApart = /^(.)\1(.)\2$/.test(order)
  const first = begun[order.startsWith('A') ? 0 : 1]
  return isApart || first?.wasHeld
    ? undefined
    : 'the first asked the gateway nothing at which it could be crossed'
}
