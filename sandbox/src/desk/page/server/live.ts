import { signal } from '@preact/signals'
import type { LiveUpdate } from '../../control/messages/payments.js'
import { followShared } from './shared-stream.js'

export const news = signal<LiveUpdate | null>(null)
/** When the newest news came, by the browser's own steady clock. */
export const newsAt = signal(0)
export const isLive = signal(false)

const listeners = new Set<() => void>()

/** Calls `listener` whenever something in the sandbox has changed, and when the connection is back. */
export function onNews(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Follows the sandbox while the page is in sight: nobody reads a hidden tab, and it hears all when it comes back. */
export function follow(): void {
  let end: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === 'visible') end ??= followShared(take)
    else {
      end?.()
      end = undefined
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
}

function take(update: LiveUpdate | null): void {
  isLive.value = update !== null
  if (update === null) return
  news.value = update
  newsAt.value = performance.now()
  for (const listener of listeners) listener()
}
