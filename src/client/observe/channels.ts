import { type Channel, channel } from 'node:diagnostics_channel'
import type { GatewayEvents } from './events.js'

/** Names of the channels. */
export type GatewayEventName = keyof GatewayEvents

/** One for each kind of event; where nobody listens, an event need not be made. */
export const channels: Readonly<Record<GatewayEventName, Channel>> = {
  'merchant-gateway:call:start': channel('merchant-gateway:call:start'),
  'merchant-gateway:call:end': channel('merchant-gateway:call:end'),
  'merchant-gateway:attempt:start': channel('merchant-gateway:attempt:start'),
  'merchant-gateway:attempt:end': channel('merchant-gateway:attempt:end'),
  'merchant-gateway:catch-up': channel('merchant-gateway:catch-up'),
  'merchant-gateway:balances': channel('merchant-gateway:balances'),
  'merchant-gateway:token': channel('merchant-gateway:token'),
  'merchant-gateway:rate-limit': channel('merchant-gateway:rate-limit'),
  'merchant-gateway:drift': channel('merchant-gateway:drift'),
  'merchant-gateway:callback': channel('merchant-gateway:callback'),
  'merchant-gateway:delivery': channel('merchant-gateway:delivery'),
}

export type Publish = <Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]) => void

export function publish<Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]): void {
  channels[name].publish(event)
}

export function isChannel(name: string): name is GatewayEventName {
  return Object.hasOwn(channels, name)
}
