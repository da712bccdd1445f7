import type { GatewayEventName } from './channels.js'
import type { GatewayEvents } from './events.js'

/** Tells an event to whoever listens. */
export type Tell = <Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]) => void
