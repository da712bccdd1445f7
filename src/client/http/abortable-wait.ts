import { setMaxListeners } from 'node:events'
import type { Closing } from './closing.js'
import type { Failure } from './failure.js'

/** What may end a wait before its time. */
export interface StopSignals {
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** Fires when the client is closed. */
  readonly closing: Closing
}

/** What becomes of a call whose caller gave it up before it was sent. */
export function aborted({ reason }: AbortSignal): Failure {
  return { kind: 'aborted', sent: false, cause: reason }
}

/** How a call ended that was given up before anything of this attempt was sent; undefined while it goes on. */
export function givenUp({ signal, closing }: StopSignals): Failure | undefined {
  if (signal?.aborted === true) return aborted(signal)
  return closing.aborted ? { kind: 'closed' } : undefined
}

/** One signal may end any number of calls; Node would take them for a leak. */
export function allowManyListeners(signal: AbortSignal): void {
  if (signal instanceof EventTarget) setMaxListeners(0, signal)
}

/** Waits so long, or until the caller gives up or the client closes. Leaves no timer and no listener. */
export function sleep(ms: number, signals: StopSignals): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopListening()
      resolve(givenUp(signals))
    }
    const timer = setTimeout(end, ms)
    const stopListening = listen(signals, end)
    if (givenUp(signals) !== undefined) end()
  })
}

/** How long to wait for a promise of somebody else's. */
export interface WaitLimits extends StopSignals {
  readonly ms: number
  /** What the wait comes to when its time is over. */
  readonly late: Failure
}

/** A promise of somebody else's, waited for so long and no longer. It is never left unhandled. */
export function within<T>(promise: Promise<T>, limits: WaitLimits): Promise<T | Failure> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      stopListening()
    }
    const settle = (value: T | Failure) => {
      leave()
      resolve(value)
    }
    const timer = setTimeout(() => settle(limits.late), limits.ms)
    const end = () => settle(givenUp(limits) ?? limits.late)
    const stopListening = listen(limits, end)
    promise.then(settle, (error) => {
      leave()
      reject(error)
    })
    if (givenUp(limits) !== undefined) end()
  })
}

function listen({ signal, closing }: StopSignals, end: () => void): () => void {
  signal?.addEventListener('abort', end)
  closing.addEventListener('abort', end)
  return () => {
    signal?.removeEventListener('abort', end)
    closing.removeEventListener('abort', end)
  }
}
