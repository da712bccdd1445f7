import { errorCodes } from '../error-codes.js'
import { AbortedError, ClientClosedError, isGatewayError, WaitTimeoutError } from '../errors.js'
import { within } from '../http/abortable-wait.js'
import { checkWaitOptions, type WaitOptions } from '../input/call-options.js'
import { checkId } from '../input/payment-id.js'
import type { Ending } from '../input/wait.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment.js'
import { whereItStands } from './identify.js'
import { lookUp } from './lookup.js'
import type { FoundPayments } from './payments.js'
import { isFinal, type PaymentLike, shownStatusOf, statusOf } from './status.js'

function mayPass(error: unknown): boolean {
  return isGatewayError(error) && errorCodes[error.code].passes !== 'no'
}

export async function waitForPayment<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  options: WaitOptions,
): Promise<Found> {
  const watching = watchPayment(payments, id, options)
  for (;;) {
    const step = await watching.next()
    if (step.done === true) return step.value
  }
}

/** Wrong arguments throw at once. */
export function watchPayment<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  options: WaitOptions,
): AsyncGenerator<Found, Found> {
  checkId(id, idFieldOf[payments.kind], payments.parts.maxIdLength)
  return statusesOf(payments, id, checkWaitOptions(options))
}

/** Yields the payment at first sight, whenever its status has changed, and when it is final, which ends it. */
async function* statusesOf<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  { maxWaitMs, signal }: WaitOptions,
): AsyncGenerator<Found, Found> {
  const { kind, listeners } = payments
  const { callbacks, http } = payments.parts
  const { closing, defaultDeadlineMs } = http
  const endAt = performance.now() + maxWaitMs
  // The payment may have ended since the last of the gaps, which are long, and its callback may be lost.
  const lastRequestAt = endAt - Math.min(lastRequestMs, maxWaitMs / 4)
  let interrupt = (): void => {}
  let latest: Found | undefined
  let hasChanged = false
  let request = new AbortController()
  const stopListening = listeners.listen(id, (seen) => {
    hasChanged = seen === undefined
    interrupt()
    if (seen === undefined) return
    latest = seen
    // A status request may wait long for its permit, and nobody needs it any more.
    request.abort()
  })
  const giveUp = () => request.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted === true) giveUp()
  let last: Found | undefined
  let lastError: unknown
  try {
    for (let requests = 1; ; requests++) {
      const leftMs = endAt - performance.now()
      let seen = latest
      latest = undefined
      if (seen === undefined) {
        if (leftMs <= 0) throw waitedTooLong(kind, id, maxWaitMs, last, lastError)
        hasChanged = false
        if (request.signal.aborted && signal?.aborted !== true) request = new AbortController()
        try {
          const deadlineMs = Math.max(1, Math.min(leftMs, defaultDeadlineMs))
          seen = await lookUp(payments, id, { signal: request.signal, deadlineMs }, 'poll')
        } catch (error) {
          // A callback has brought a status; what is wrong for good, the next request says again.
          if (latest === undefined) {
            if (!mayPass(error)) throw error
            lastError = error
          }
        }
      }
      if (seen !== undefined) {
        lastError = undefined
        const changed = last === undefined || shownStatusOf(last) !== shownStatusOf(seen)
        const final = isFinal(seen)
        last = seen
        // The final one even under the status that it had: a loop over this sees nothing else of it.
        if (changed || final) yield seen
        if (final) return seen
      }
      if (latest === undefined && !hasChanged) {
        const gapMs = pollGapMs(requests, Math.random(), callbacks.arrive())
        const now = performance.now()
        const untilMs = isBefore(now, lastRequestAt) ? Math.min(gapMs, lastRequestAt - now) : endAt - now
        const ms = Math.max(0, untilMs)
        const notified = new Promise<void>((resolve) => {
          interrupt = resolve
        })
        await within(notified, { ms, signal, closing, late: undefined })
      }
      throwIfEnded(kind, id, signal, closing)
    }
  } finally {
    stopListening()
    signal?.removeEventListener('abort', giveUp)
  }
}

function waitedTooLong(
  kind: PaymentKind,
  id: string,
  maxWaitMs: number,
  last: PaymentLike | undefined,
  lastError: unknown,
): WaitTimeoutError {
  const seen = last === undefined ? `it was not seen once${failedWith(lastError)}` : lastStatus(last)
  return new WaitTimeoutError(
    `the ${kind} was not final after maxWaitMs (${maxWaitMs} ms), ${seen}; its money may still move, so look again later and never create it under another id.`,
    { [idFieldOf[kind]]: id, lastPayment: last },
    lastError,
  )
}

function lastStatus(last: PaymentLike): string {
  const shown = shownStatusOf(last)
  if (shown === undefined) return `no status was found in it (${whereItStands})`
  if (statusOf(last) !== undefined) {
    return `its last status was ${shown} (if a payment ends with that at this gateway, list it in the option statuses)`
  }
  return `its last status was ${shown}, which is not in process.status and so means nothing to isFinal and isPaid (${whereItStands})`
}

function failedWith(error: unknown): string {
  return isGatewayError(error) ? ` (the last status request failed: ${error.code})` : ''
}

function throwIfEnded(kind: PaymentKind, id: string, signal: AbortSignal | undefined, closing: Ending): void {
  const details = { [idFieldOf[kind]]: id }
  const sentence = `while waiting for the ${kind}; the wait has ended, the ${kind} goes its own way, so look again later`
  if (signal?.aborted === true) {
    throw new AbortedError(`the caller's signal fired ${sentence}.`, details, signal.reason)
  }
  if (closing.aborted) throw new ClientClosedError(`the client was closed ${sentence}.`, details)
}

/** A timer may fire a millisecond early. */
function isBefore(now: number, time: number): boolean {
  return time - now > 1
}

/** How long before its end a wait requests once more: time for a permit and a response. */
const lastRequestMs = 1_000
const firstGapMs = 1_000
const longestGapMs = 15_000
const growth = 1.5
/** By how much a gap is longer or shorter than the others, so that waits that began together spread out. */
const spread = 0.2
/** While callbacks arrive, polls are only for those that don't: they become rare sooner. */
const withCallbacks = 4

/** About a second, half as long again each time, and at most 15 s. While callbacks arrive it begins with four times as much. */
export function pollGapMs(requests: number, random: number, callbacksArrive = false): number {
  const gap = firstGapMs * growth ** (requests - 1) * (callbacksArrive ? withCallbacks : 1)
  const longest = longestGapMs / (1 + spread)
  return Math.min(longest, gap) * (1 - spread + 2 * spread * random)
}
