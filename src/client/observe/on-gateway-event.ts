import { InvalidInputError } from '../errors.js'
import { warnOnce } from '../input/warn-once.js'
import { channels, type GatewayEventName, isChannel } from './channels.js'
import type { GatewayEvents } from './events.js'

/**
 * Listens to one kind of event of every client in this process, also of clients made by another copy of
 * this package. The same as `subscribe` of `node:diagnostics_channel`, with types, and with a listener
 * that may throw or reject: Node would end the process for that, here it becomes one process warning.
 *
 * @returns a function that ends it.
 * @throws when there is no such channel, or the listener is no function ({@link InvalidInputError}).
 * @example
 * const stop = onGatewayEvent('merchant-gateway:call:end', ({ call, durationMs, error }) => {
 *   histogram.record(durationMs, { name: call.name, failed: error !== undefined })
 * })
 */
export function onGatewayEvent<Name extends GatewayEventName>(
  name: Name,
  listener: (event: GatewayEvents[Name]) => void,
): () => void {
  if (!isChannel(name)) {
    throw new InvalidInputError('name must be a channel such as "merchant-gateway:call:end".', {
      field: 'name',
    })
  }
  if (typeof listener !== 'function') {
    throw new InvalidInputError('listener must be a function.', { field: 'listener' })
  }
  const guarded = (event: unknown) => {
    try {
      // Nobody but this package publishes there, and always this type.
      const returned: unknown = listener(event as GatewayEvents[Name])
      if (returned instanceof Promise) returned.catch((reason) => warnOfListener(name, reason))
    } catch (error) {
      warnOfListener(name, error)
    }
  }
  channels[name].subscribe(guarded)
  return () => void channels[name].unsubscribe(guarded)
}

/** Once for each channel: a listener that always throws would fill the log. */
function warnOfListener(name: GatewayEventName, error: unknown): void {
  const what = error instanceof Error ? error.name : typeof error
  warnOnce(
    `a listener of ${name} threw (${what}); the call that it was told of goes on.`,
    'MerchantGatewayListener',
    'MERCHANT_GATEWAY_LISTENER',
    name,
  )
}
