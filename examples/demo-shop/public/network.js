// Asks the shop, over networks that are slow or gone. Everything that is sent here may be sent twice: an order has its
// key, and a refund is one for each order.
import { trouble } from './words.js'

const slowMs = 3_000
const timeoutMs = 15_000
const longestPauseMs = 8_000

/** The shop's answer when it says no, in words for the customer. */
export class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

const element = document.getElementById('notice')

/** Says what the trouble is; nothing, when there is none. A screen reader speaks at every change, so only then. */
export function notice(text) {
  if (element.textContent === (text ?? '')) return
  element.textContent = text ?? ''
  element.hidden = text === undefined
}

/**
 * Asks until there is an answer.
 *
 * @throws {Refused} when the answer is no
 * @throws the signal's reason, when nobody wants the answer any more
 */
export async function ask(path, { body, signal } = {}) {
  for (let tries = 0; ; tries++) {
    const slow = setTimeout(() => notice(trouble.slow), slowMs)
    try {
      const answer = await askOnce(path, body, signal)
      notice()
      return answer
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Refused && error.status < 500) {
        notice()
        throw error
      }
      if (error instanceof Refused) notice(`${error.message} ${trouble.busy}`)
      else notice(navigator.onLine ? trouble.unreachable : trouble.offline)
    } finally {
      clearTimeout(slow)
    }
    await pause(Math.min(longestPauseMs, 500 * 2 ** tries), signal)
  }
}

async function askOnce(path, body, signal) {
  const timeout = AbortSignal.timeout(timeoutMs)
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(path, {
    ...(body === undefined ? {} : post),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const answer = await response.json()
  if (!response.ok) throw new Refused(response.status, answer.message)
  return answer
}

/** Ends early when the network is back. */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
