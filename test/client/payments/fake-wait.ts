import { AbortedError, type GatewayError } from '../../../src/client/errors.js'
import type { WaitOptions } from '../../../src/client/input/call-options.js'
import { PaymentListeners } from '../../../src/client/payments/callback-link.js'
import type { PaymentLike } from '../../../src/client/payments/status.js'
import { type WatchSource, watchSource } from '../../../src/client/payments/watch.js'

export const withStatus = (status: string): PaymentLike => ({ process: { status } })

/** What a wait for a payin looks at, and where it is notified. */
export function sourceOf(
  retrieve: WatchSource<PaymentLike>['retrieve'],
  {
    closing = new AbortController().signal,
    callbacksArrive = false,
  }: {
    readonly closing?: AbortSignal
    readonly callbacksArrive?: boolean
  } = {},
) {
  const listeners = new PaymentListeners<PaymentLike>()
  const source: WatchSource<PaymentLike> = {
    kind: 'payin',
    id: 'order-1',
    retrieve,
    listeners,
    closing,
    callbacksArrive: () => callbacksArrive,
  }
  return { source, listeners }
}

/** A wait whose looks give these responses, the last one again and again; it tells when it looked. */
export function wait(
  answers: readonly (PaymentLike | GatewayError)[],
  options: WaitOptions,
  { lookMs = 0, ...more }: { readonly lookMs?: number } & Parameters<typeof sourceOf>[1] = {},
) {
  const lookedAt: number[] = []
  const look = async (_deadlineMs: number, signal: AbortSignal) => {
    const answer = answers[Math.min(lookedAt.length, answers.length - 1)]
    lookedAt.push(Date.now())
    if (lookMs > 0) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, lookMs)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(new AbortedError('the look was given up.'))
        })
      })
    }
    if (answer === undefined || answer instanceof Error) throw answer
    return answer
  }
  const { source, listeners } = sourceOf(look, more)
  const seen: (string | undefined)[] = []
  const yielded: PaymentLike[] = []
  const run = async () => {
    const watching = watchSource<PaymentLike>(source, options)
    for (;;) {
      const step = await watching.next()
      if (step.done === true) return step.value
      seen.push(step.value.process?.status ?? undefined)
      yielded.push(step.value)
    }
  }
  return { result: run(), lookedAt, seen, yielded, listeners }
}

/** How a promise ended, without an unhandled rejection on the way. */
export const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
