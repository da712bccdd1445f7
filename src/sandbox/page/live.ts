import { signal } from '@preact/signals'
import type { LiveUpdate } from '../control/messages.js'

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

const RETRY_MS = 2000

/** Follows the sandbox. The browser connects again by itself, but not after an answer that is no stream. */
export function follow(): void {
  const stream = new EventSource('api/live')
  stream.onmessage = ({ data }) => {
    news.value = JSON.parse(data)
    newsAt.value = performance.now()
    isLive.value = true
    for (const listener of listeners) listener()
  }
  stream.onerror = () => {
    isLive.value = false
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, RETRY_MS)
  }
}
