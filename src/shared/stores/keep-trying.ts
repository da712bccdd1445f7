import { setTimeout as sleep } from 'node:timers/promises'

const firstGapMs = 1_000
const longestGapMs = 30_000

/** Tries until it succeeds or the signal fires, less and less often. What waits keeps no process alive. */
export async function keepTrying(
  run: () => Promise<unknown>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (let gapMs = firstGapMs; !signal.aborted; gapMs = Math.min(2 * gapMs, longestGapMs)) {
    try {
      await run()
      return
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
    await sleep(gapMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Says once that messages can't be heard. Of the error its name alone: drivers quote what was sent. */
export function warnOnce(name: string): (error: unknown) => void {
  let warned = false
  return (error) => {
    if (warned) return
    warned = true
    const what = error instanceof Error ? error.name : typeof error
    process.emitWarning(
      `${name} can't hear of callbacks in other processes (${what}) and tries again; until then waits poll.`,
      { type: 'MerchantGatewayCallback', code: 'MERCHANT_GATEWAY_BROADCAST' },
    )
  }
}
