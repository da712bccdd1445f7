import { AbortedError, type GatewayError } from '../../src/errors.js'
import type { WaitOptions } from '../../src/input/wait-options.js'
import { type PaymentLike, type PaymentReading, paymentReading } from '../../src/payments/final.js'
import { PaymentListeners } from '../../src/payments/payment-listeners.js'
import { watchPayment } from '../../src/payments/watch.js'

export const withStatus = (status: string): PaymentLike => ({ process: { status } })

/** A wait whose looks give these answers, the last one again and again; it tells when it looked. */
export function wait(
  answers: readonly (PaymentLike | GatewayError)[],
  options: WaitOptions,
  {
    end = new AbortController().signal,
    lookMs = 0,
    callbacksArrive = false,
    reading = paymentReading({}),
  }: {
    readonly end?: AbortSignal
    readonly lookMs?: number
    readonly callbacksArrive?: boolean
    readonly reading?: PaymentReading
  } = {},
) {
  const lookedAt: number[] = []
  const listeners = new PaymentListeners<PaymentLike>()
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
  const source = {
    kind: 'payin' as const,
    id: 'order-1',
    look,
    reading,
    listeners,
    closing: end,
    callbacksArrive: () => callbacksArrive,
  }
  const seen: (string | undefined)[] = []
  const yielded: PaymentLike[] = []
  const run = async () => {
    const watching = watchPayment<PaymentLike>(source, options)
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
