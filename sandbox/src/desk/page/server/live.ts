import { signal } from '@preact/signals'
import type { LiveUpdate } from '../../control/live.js'

const RETRY_MS = 2000

export const news = signal<LiveUpdate | null>(null)
/** When the newest news arrived, by the browser's own steady clock. */
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
    if (document.visibilityState === 'visible') end ??= openStream()
    else {
      end?.()
      end = undefined
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
}

/**
 * The browser connects again by itself, but not after an answer that is no stream. When many pages are open, the
 * sandbox ends the stream of this one on purpose, and the browser asks again two seconds later: nothing is lost then.
 */
function openStream(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream: EventSource
  let isToAskAgain = false
  const open = () => {
    stream = new EventSource('api/live')
    stream.onmessage = ({ data }) => take(JSON.parse(data))
    stream.addEventListener('ask-again', () => {
      isToAskAgain = true
    })
    stream.onerror = () => {
      if (!isToAskAgain) take(null)
      isToAskAgain = false
      if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}

function take(update: LiveUpdate | null): void {
  isLive.value = update !== null
  if (update === null) return
  news.value = update
  newsAt.value = performance.now()
  for (const listener of listeners) listener()
}
