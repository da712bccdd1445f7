import { areTraced, channels, type GatewayEventName } from './channels.js'
import type { GatewayEvents, ObservedClient, TokenEvent, TokenScope } from './events.js'
import { type Log, logClient, writeLine } from './log.js'
import type { GatewayLogger } from './logger.js'
import { type CallFacts, WatchedCall } from './watched-call.js'

export interface ObserverSettings {
  readonly origin: string
  readonly basePath: string
  readonly logger?: GatewayLogger | undefined
  readonly slowCallMs: number
}

export class Observer {
  readonly client: ObservedClient
  readonly #log: Log | undefined
  readonly #logged = new DriftMemory()

  constructor({ origin, basePath, logger, slowCallMs }: ObserverSettings) {
    const { protocol, hostname, port } = new URL(origin)
    const schemePort = protocol === 'https:' ? 443 : 80
    this.client = {
      serverAddress: hostname.replace(/^\[|\]$/g, ''),
      serverPort: port === '' ? schemePort : Number(port),
      basePath,
    }
    if (logger === undefined) return
    this.#log = { logger, slowCallMs }
    logClient(this.client, this.#log)
  }

  watch(facts: () => CallFacts): WatchedCall | undefined {
    return areTraced() ? new WatchedCall(this.client, facts()) : undefined
  }

  wants(name: GatewayEventName): boolean {
    return channels[name].hasSubscribers
  }

  publish<Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]): void {
    channels[name].publish(event)
  }

  token({ label }: { readonly label: TokenScope }, change: Omit<TokenEvent, 'client' | 'scope'>): void {
    this.publish('merchant-gateway:token', { client: this.client, scope: label, ...change })
  }

  /** To listeners each time, to the log once for each field; where there is neither, a warning of the process. */
  drift(route: string, issues: readonly string[]): void {
    const name = 'merchant-gateway:drift'
    const isHeard = this.wants(name)
    this.publish(name, { route, issues })
    if (this.#log === undefined && isHeard) return
    const unseen = (this.#log === undefined ? warned : this.#logged).unseen(route, issues)
    if (this.#log === undefined) warnOfDrift(route, unseen)
    else if (unseen.length > 0) writeLine(this.#log, name, { route, issues: unseen })
  }
}

class DriftMemory {
  readonly #reported = new Set<string>()

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

function warnOfDrift(route: string, issues: readonly string[]): void {
  for (const issue of issues) {
    process.emitWarning(`the gateway's response differs from what this version knows: ${route}: ${issue}`, {
      type: 'MerchantGatewayDrift',
      code: 'MERCHANT_GATEWAY_DRIFT',
    })
  }
}
