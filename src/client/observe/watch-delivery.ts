import { channel } from 'node:diagnostics_channel'
import type { DeliveryEvent } from './events.js'

const delivered = channel('merchant-gateway:delivery')

export type DeliveryEnded = (failed?: { readonly error: unknown }) => void

export function watchDelivery(
  ids: Pick<DeliveryEvent, 'idPayin' | 'idPayout'>,
  paymentStatus: string | undefined,
): DeliveryEnded {
  const startedAt = performance.now()
  let isOver = false
  return (failed) => {
    if (isOver || !delivered.hasSubscribers) return
    isOver = true
    const event: DeliveryEvent = {
      ...ids,
      ...(paymentStatus === undefined ? {} : { paymentStatus }),
      result: failed === undefined ? 'resolved' : 'rejected',
      ...(failed === undefined ? {} : { failure: className(failed.error) }),
      durationMs: performance.now() - startedAt,
    }
    delivered.publish(event)
  }
}

/** The rest of an error that is not ours may hold anything. */
function className(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  return /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : 'Error'
}
