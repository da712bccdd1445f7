import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel'
import type { AttemptStarted, CallStarted, GatewayEvents } from './events.js'

/** Names of the events that {@link onGatewayEvent} listens to. */
export type GatewayEventName = keyof GatewayEvents

/** Calls of methods. What each is traced with is its event, which gets the rest of its fields when the call ends. */
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

/** The channel of each event; where nobody listens, an event need not be made. */
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

export function isChannel(name: string): name is GatewayEventName {
  return Object.hasOwn(channels, name)
}
