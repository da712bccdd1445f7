import { wait, within } from '../client/input/wait.js'
import { type DeliveryResult, report } from './delivery.js'
import { idOf, keyOf } from './payment-ref.js'
import type { CallbackSettings } from './read-options.js'
import type { CallbackTarget } from './signed-path.js'
import type { Spacing } from './spacing.js'

interface Parts extends Pick<CallbackSettings, 'lookupDeadlineMs' | 'onError'> {
  readonly wake: NonNullable<CallbackSettings['wake']>
  readonly spacing: Spacing
  readonly draining: AbortSignal
}

/** Hands callbacks to the queue that follows their payments: then its worker asks for the status, and this process need not. */
export class QueueWaker {
  readonly #parts: Parts
  readonly #waiting = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async wake(target: CallbackTarget): Promise<DeliveryResult | 'unknown'> {
    const { wake, spacing, lookupDeadlineMs, onError } = this.#parts
    const late = () => new Error(`wake took longer than ${lookupDeadlineMs} ms`)
    try {
      if ((await within(lookupDeadlineMs, late, () => wake(idOf(target)))) !== true) return 'unknown'
      spacing.failed(keyOf(target))
      return 'succeeded'
    } catch (error) {
      report(onError, error, { ...target, during: 'wake' })
      return 'unavailable'
    }
  }

  /**
   * Once after the gap, for all callbacks of a payment that come in it: the gateway may never send one again.
   *
   * @returns undefined where another one waits already, or the receiver was drained meanwhile.
   */
  async wakeAfter(gapMs: number, target: CallbackTarget): Promise<DeliveryResult | 'unknown' | undefined> {
    const { draining } = this.#parts
    const key = keyOf(target)
    if (this.#waiting.has(key)) return undefined
    this.#waiting.add(key)
    await wait(gapMs, draining)
    this.#waiting.delete(key)
    return draining.aborted ? undefined : this.wake(target)
  }
}
