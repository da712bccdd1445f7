import { setMaxListeners } from 'node:events'
import { AttemptFailed, type Failure } from './failure.js'

/** The failure of a call that its caller gave up before anything of this attempt was sent. */
export function aborted(signal: AbortSignal): AttemptFailed {
  return new AttemptFailed({ kind: 'aborted', sent: false, cause: signal.reason })
}

/** @throws {AttemptFailed} when the caller has given up already: no event would tell of it any more. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal)
}

/** One signal may end any number of calls; Node would take them for a leak. */
export function allowManyListeners(signal: AbortSignal): void {
  if (signal instanceof EventTarget) setMaxListeners(0, signal)
}

/** Calls back once, when the caller gives up or the client closes; the returned function ends that. */
function whenGivenUp(
  signal: AbortSignal | undefined,
  closing: AbortSignal,
  end: (failed: AttemptFailed) => void,
): () => void {
  const onAbort = () => {
    if (signal !== undefined) end(aborted(signal))
  }
  const onClose = () => end(new AttemptFailed({ kind: 'closed' }))
  signal?.addEventListener('abort', onAbort)
  closing.addEventListener('abort', onClose)
  return () => {
    signal?.removeEventListener('abort', onAbort)
    closing.removeEventListener('abort', onClose)
  }
}

/** Waits so long, or until the caller gives up or the client closes. Leaves no timer and no listener. */
export function sleep(ms: number, signal: AbortSignal | undefined, closing: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    refuseAborted(signal)
    if (closing.aborted) throw new AttemptFailed({ kind: 'closed' })
    const timer = setTimeout(() => {
      forget()
      resolve()
    }, ms)
    const forget = whenGivenUp(signal, closing, (failed) => {
      clearTimeout(timer)
      forget()
      reject(failed)
    })
  })
}

export interface Limits {
  readonly ms: number
  readonly signal: AbortSignal | undefined
  /** Fires when the client is closed. */
  readonly closing: AbortSignal
  /** What it is called when the time is over. */
  readonly late: Failure
}

/** A promise of somebody else's, waited for so long and no longer. It is never left unhandled. */
export function within<T>(promise: Promise<T>, { ms, signal, closing, late }: Limits): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      forget()
    }
    const fail = (error: unknown) => {
      leave()
      reject(error)
    }
    const timer = setTimeout(() => fail(new AttemptFailed(late)), ms)
    const forget = whenGivenUp(signal, closing, fail)
    promise.then((value) => {
      leave()
      resolve(value)
    }, fail)
    if (signal?.aborted === true) fail(aborted(signal))
    else if (closing.aborted) fail(new AttemptFailed({ kind: 'closed' }))
  })
}
