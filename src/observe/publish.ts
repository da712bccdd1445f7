import type { GatewayEventName } from './channels.js'
import type { GatewayEvents } from './events.js'

/** Publishes an event to whoever listens. */
export type Publish = <Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]) => void
