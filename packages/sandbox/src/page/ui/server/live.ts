import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Info, LiveState, SandboxState } from '../../api/actions/state.js'
import { attempt } from '../parts/announce.js'
import { info, Refusal, readLive, readState } from './server.js'

/** Never twice at once: a slow response is never overtaken by an older one, and a burst of changes costs two requests. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = false
    }
  }
  return () => {
    if (running) again = true
    else void run()
  }
}

const POLL_MS = 500

/** What the sandbox said last; null until its first response. */
export const live = signal<LiveState | null>(null)
export const isConnected = signal(true)

const listeners = new Set<() => void>()

/** Calls `listener` whenever something in the sandbox has changed, and when the connection is back. */
export function onChange(listener: () => void): void {
  listeners.add(listener)
}

/** Follows the sandbox while the page is in sight: nobody reads a hidden tab, and it asks at once when it comes back. */
export function follow(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = oneAtATime(async () => {
    clearTimeout(timer)
    if (document.visibilityState !== 'visible') return
    take(await readLive().catch(() => null))
    timer = setTimeout(poll, POLL_MS)
  })
  document.addEventListener('visibilitychange', poll)
  poll()
}

function take(state: LiveState | null): void {
  const wasConnected = isConnected.peek()
  const before = live.peek()?.changes
  isConnected.value = state !== null
  if (state === null) return
  live.value = state
  // When the connection is back, it may be to another sandbox, which counts anew.
  if (wasConnected && state.changes === before) return
  for (const listener of listeners) listener()
}

const RETRY_MS = 2000

/** What is open: null until the sandbox has responded, 'gone' when it does not hold it, 'away' when it does not respond. */
export type Opened<Found> = Found | 'gone' | 'away' | null

/** Reads what is open: again with every change, and again after a while when the sandbox does not respond. */
export function loadOpened<Wanted, Found>(
  opened: ReadonlySignal<Wanted | null>,
  read: (wanted: Wanted) => Promise<Found>,
): ReadonlySignal<Opened<Found>> {
  const current = signal<Opened<Found>>(null)
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = oneAtATime(async () => {
    const wanted = opened.peek()
    clearTimeout(timer)
    if (wanted === null) return
    try {
      const found = await read(wanted)
      if (opened.peek() !== wanted) return
      // A change is about anything; most leave this one as it is.
      const text = JSON.stringify(found)
      if (text === shown) return
      shown = text
      current.value = found
    } catch (error) {
      if (opened.peek() !== wanted) return
      if (error instanceof Refusal) current.value = 'gone'
      else {
        // What is shown already stays; the header says that the connection is lost.
        if (current.peek() === null) current.value = 'away'
        timer = setTimeout(load, RETRY_MS)
      }
    }
  })

  effect(() => {
    opened.value
    shown = ''
    current.value = null
    load()
  })
  onChange(load)
  return current
}

export const sandboxState = signal<SandboxState | null>(null)
/** What does not change while the sandbox runs; null until the first response. */
export const sandboxInfo = signal<Info | null>(null)

onChange(
  oneAtATime(async () => {
    sandboxState.value = await readState().catch(() => sandboxState.peek())
  }),
)

// When the connection is back, it may be to another sandbox at the same address.
effect(() => {
  if (!isConnected.value) return
  info().then(
    (found) => (sandboxInfo.value = found),
    () => undefined,
  )
})

/** Does something on the sandbox, announces the result, and shows the new state in the bar. */
export function act(work: () => Promise<SandboxState>, done: string): Promise<boolean> {
  return attempt(async () => {
    sandboxState.value = await work()
  }, done)
}
