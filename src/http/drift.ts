import { channel } from 'node:diagnostics_channel'

/** A response that was usable, but not as this version of the library knows it. */
export interface DriftEvent {
  /** For example `GET /payouts/{idPayout}`. */
  readonly route: string
  /** Paths and expectations, for example `process.processedAt: expected string`. Never values. */
  readonly issues: readonly string[]
}

const drift = channel('merchant-gateway:drift')
const warned = new Set<string>()
const mostWarnings = 100

/**
 * Tells whoever listens to the channel `merchant-gateway:drift`; where nobody does, a process
 * warning says it once for each field.
 */
export function reportDrift(route: string, issues: readonly string[]): void {
  if (drift.hasSubscribers) {
    drift.publish({ route, issues } satisfies DriftEvent)
    return
  }
  for (const issue of issues) {
    const line = `${route}: ${issue}`
    if (warned.has(line) || warned.size >= mostWarnings) continue
    warned.add(line)
    process.emitWarning(`the gateway's answer differs from what this version knows: ${line}`, {
      type: 'MerchantGatewayDrift',
      code: 'MERCHANT_GATEWAY_DRIFT',
    })
  }
}
