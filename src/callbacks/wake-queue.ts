import { within } from '../client/input/within.js'
import { type DeliveryResult, report } from './delivery.js'
import type { CallbackSettings } from './options.js'
import { idOf } from './payment-ref.js'
import type { CallbackTarget } from './signed-path.js'

/** Whether a queue has the payment: then its worker looks, and this process need not. */
export async function wakeQueue(
  wake: NonNullable<CallbackSettings['wake']>,
  target: CallbackTarget,
  { lookupDeadlineMs, onError }: Pick<CallbackSettings, 'lookupDeadlineMs' | 'onError'>,
): Promise<DeliveryResult | 'unknown'> {
  const late = () => new Error(`wake took longer than ${lookupDeadlineMs} ms`)
  try {
    return (await within(lookupDeadlineMs, late, () => wake(idOf(target)))) === true ? 'succeeded' : 'unknown'
  } catch (error) {
    report(onError, error, { ...target, during: 'wake' })
    return 'unavailable'
  }
}
