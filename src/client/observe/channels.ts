import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel'
import { InvalidInputError } from '../errors.js'
import { warnOnce } from '../input/warn-once.js'
import type { AttemptStarted, CallStarted, GatewayEvents } from './events.js'

/** Names of the events that {@link onGatewayEvent} listens to. */
export type GatewayEventName = keyof GatewayEvents

/** Calls of methods. The event of a call gets the rest of its fields when it ends. */
export const calls = tracingChannel<unknown, CallStarted>('merchant-gateway:call')
/** The requests of calls, in the same way. */
export const attempts = tracingChannel<unknown, AttemptStarted>('merchant-gateway:attempt')

const ofTraces = [calls, attempts].flatMap(({ start, end, asyncStart, asyncEnd, error }) => [
  start,
  end,
  asyncStart,
  asyncEnd,
  error,
])

/** Whether anybody listens to calls or to their requests. Bun has no `hasSubscribers` of a tracing channel. */
export function areTraced(): boolean {
  return ofTraces.some(({ hasSubscribers }) => hasSubscribers)
}

export const channels: Readonly<Record<GatewayEventName, Channel>> = {
  'merchant-gateway:call:start': calls.start,
  'merchant-gateway:call:end': calls.asyncEnd,
  'merchant-gateway:attempt:start': attempts.start,
  'merchant-gateway:attempt:end': attempts.asyncEnd,
  'merchant-gateway:catch-up': channel('merchant-gateway:catch-up'),
  'merchant-gateway:balances': channel('merchant-gateway:balances'),
  'merchant-gateway:token': channel('merchant-gateway:token'),
  'merchant-gateway:rate-limit': channel('merchant-gateway:rate-limit'),
  'merchant-gateway:drift': channel('merchant-gateway:drift'),
  'merchant-gateway:callback': channel('merchant-gateway:callback'),
  'merchant-gateway:delivery': channel('merchant-gateway:delivery'),
}

function isChannel(name: string): name is GatewayEventName {
  return Object.hasOwn(channels, name)
}

/**
 * Listens to one kind of event of every client in this process, as `subscribe` of `node:diagnostics_channel` does. A
 * listener that throws or rejects becomes one process warning, for which Node would end the process.
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
      // Only this package publishes there, and always this type.
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
