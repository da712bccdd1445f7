import { channels, type GatewayEventName, type Publish, publish } from './channels.js'
import type { GatewayEvents, ObservedClient, TokenEvent, TokenScope } from './events.js'
import { logEvent } from './log-lines.js'
import type { GatewayLogger } from './logger.js'
import { type CallFacts, WatchedCall } from './watched-call.js'

export interface ObserverSettings {
  readonly origin: string
  readonly basePath: string
  readonly logger: GatewayLogger | undefined
  readonly slowCallMs: number
}

export class Observer {
  readonly client: ObservedClient
  readonly #logger: GatewayLogger | undefined
  readonly #slowCallMs: number
  readonly #logged = new DriftMemory()

  constructor({ origin, basePath, logger, slowCallMs }: ObserverSettings) {
    const { protocol, hostname, port } = new URL(origin)
    const schemePort = protocol === 'https:' ? 443 : 80
    this.client = {
      serverAddress: hostname.replace(/^\[|\]$/g, ''),
      serverPort: port === '' ? schemePort : Number(port),
      basePath,
    }
    this.#logger = logger
    this.#slowCallMs = slowCallMs
  }

  /** A call to watch; undefined where nobody does. @param facts what it is, made only for whoever watches. */
  watch(facts: () => CallFacts): WatchedCall | undefined {
    const isWatched = this.#logger !== undefined || callChannels.some(({ hasSubscribers }) => hasSubscribers)
    return isWatched ? new WatchedCall(this.publish, this.client, facts()) : undefined
  }

  wants(name: GatewayEventName): boolean {
    return this.#logger !== undefined || channels[name].hasSubscribers
  }

  readonly publish: Publish = (name, event) => {
    publish(name, event)
    this.#log(name, event)
  }

  /** Something happened to a token, or to the store that it is shared by. */
  token({ label }: { readonly label: TokenScope }, change: Omit<TokenEvent, 'client' | 'scope'>): void {
    this.publish('merchant-gateway:token', { client: this.client, scope: label, ...change })
  }

  drift(route: string, issues: readonly string[]): void {
    const heard = channels['merchant-gateway:drift'].hasSubscribers
    if (heard) publish('merchant-gateway:drift', { route, issues })
    if (this.#logger !== undefined) {
      const unseen = this.#logged.unseen(route, issues)
      if (unseen.length > 0) this.#log('merchant-gateway:drift', { route, issues: unseen })
    } else if (!heard) {
      warnOfDrift(route, issues)
    }
  }

  #log<Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]): void {
    if (this.#logger !== undefined) logEvent(this.#logger, this.#slowCallMs, name, event)
  }
}

const callChannels = [
  channels['merchant-gateway:call:start'],
  channels['merchant-gateway:call:end'],
  channels['merchant-gateway:attempt:start'],
  channels['merchant-gateway:attempt:end'],
]

/** Which differences have been reported: the same response comes a thousand times. */
class DriftMemory {
  readonly #reported = new Set<string>()

  /** Those of the issues that are new; none when too many have been reported. */
  unseen(route: string, issues: readonly string[]): string[] {
    return issues.filter((issue) => {
      const entry = `${route}: ${issue}`
      if (this.#reported.has(entry) || this.#reported.size >= mostReported) return false
      this.#reported.add(entry)
      return true
    })
  }
}

const mostReported = 100
const warned = new DriftMemory()

/** For whoever has neither a listener nor a log: once for each field in a process. */
function warnOfDrift(route: string, issues: readonly string[]): void {
  for (const issue of warned.unseen(route, issues)) {
    process.emitWarning(`the gateway's response differs from what this version knows: ${route}: ${issue}`, {
      type: 'MerchantGatewayDrift',
      code: 'MERCHANT_GATEWAY_DRIFT',
    })
  }
}
