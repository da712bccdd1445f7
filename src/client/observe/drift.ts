/** Which differences have been reported: the same answer comes a thousand times. */
export class DriftMemory {
  readonly #reported = new Set<string>()

  /** Those of the issues that are new; none when too many have been reported. */
  news(route: string, issues: readonly string[]): string[] {
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
export function warnOfDrift(route: string, issues: readonly string[]): void {
  for (const issue of warned.news(route, issues)) {
    process.emitWarning(`the gateway's answer differs from what this version knows: ${route}: ${issue}`, {
      type: 'MerchantGatewayDrift',
      code: 'MERCHANT_GATEWAY_DRIFT',
    })
  }
}
