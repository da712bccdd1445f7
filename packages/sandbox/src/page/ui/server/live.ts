import { signal } from '@preact/signals'
import type { LiveState } from '../../api/actions/state.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { readLive } from './server.js'

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
