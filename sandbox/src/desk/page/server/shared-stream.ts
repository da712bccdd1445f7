import type { LiveUpdate } from '../../control/messages/payments.js'

/** What a stream says: news, or null when the connection is lost. */
export type StreamListener = (news: LiveUpdate | null) => void

const NAME = 'sandbox-live'
const HELLO = 'hello'
const RETRY_MS = 2000

/**
 * Follows the sandbox by one connection for all tabs of this browser that are in sight: browsers keep six
 * connections to a host, and each stream takes one for as long as it lasts. The tab that holds the lock has the
 * stream and hands on what it says; when it goes, the next tab gets the lock.
 *
 * @returns ends it
 */
export function followShared(listener: StreamListener): () => void {
  // Browsers have locks for addresses that they trust only: not for a sandbox on another machine.
  if (!('locks' in navigator)) return followAlone(listener)
  const channel = new BroadcastChannel(NAME)
  const leaving = new AbortController()
  channel.onmessage = ({ data }) => {
    if (data !== HELLO) listener(data)
  }
  const lead = () =>
    new Promise<void>((resolve) => {
      let last: LiveUpdate | null = null
      const stop = followAlone((news) => {
        last = news
        listener(news)
        channel.postMessage(news)
      })
      channel.onmessage = ({ data }) => {
        if (data === HELLO) channel.postMessage(last)
      }
      leaving.signal.addEventListener('abort', () => {
        stop()
        channel.close()
        resolve()
      })
    })
  // Rejects when this tab leaves while it waits.
  navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => channel.close())
  channel.postMessage(HELLO)
  return () => leaving.abort()
}

/** The browser connects again by itself, but not after an answer that is no stream. */
function followAlone(listener: StreamListener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream: EventSource
  const open = () => {
    stream = new EventSource('api/live')
    stream.onmessage = ({ data }) => listener(JSON.parse(data))
    stream.onerror = () => {
      listener(null)
      if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}
