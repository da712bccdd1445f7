/** Which fields have been told of already: an answer that differs comes a thousand times. */
export class DriftMemory {
  readonly #told = new Set<string>()

  /** Those of the issues that are new; none when too many have been told. */
  news(route: string, issues: readonly string[]): string[] {
    return issues.filter((issue) => {
      const line = `${route}: ${issue}`
      if (this.#told.has(line) || this.#told.size >= mostTold) return false
      this.#told.add(line)
      return true
    })
  }
}

const mostTold = 100
const warned = new DriftMemory()

/** For whoever has neither a listener nor a log: once for each field in a process. */
export function warnOfDrift(route: string, issues: readonly string[]): void {
  for (const issue of warned.news(route, issues)) {
    process.emitWarning(`the gateway's answer differs from what this version knows: ${route}: ${issue}`, {
      type: 'MerchantGatewayDrift',
      code: 'MERCHANT_GATEWAY_DRIFT',
    })
  }
}
