export interface TokenFacts {
  readonly validitySecs: number
  /** Claims in seconds of the gateway's clock, or whatever else has their names. */
  readonly iat: unknown
  readonly exp: unknown
  readonly gatewayNowMs: number | undefined
}

/** How long a token lives, in milliseconds. Both ends are of the gateway's clock, since this machine's may be wrong by days. */
export function tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs }: TokenFacts): number {
  const askedMs = Math.min(validitySecs * 1000, latestMs)
  const endMs = timeOf(exp)
  if (endMs === undefined) return askedMs
  const issuedMs = timeOf(iat)
  // Where it was issued after its end, one of the two is wrong, and the response's date stands in.
  const startMs = issuedMs !== undefined && issuedMs < endMs ? issuedMs : (gatewayNowMs ?? issuedMs)
  if (startMs === undefined) return askedMs
  return Math.max(0, Math.min(askedMs, endMs - startMs))
}

const latestMs = 8.64e15

/** A claim in seconds as a time in milliseconds; a number that is no time since 1970 claims nothing. */
function timeOf(secs: unknown): number | undefined {
  const ms = typeof secs === 'number' ? secs * 1000 : Number.NaN
  return ms >= 0 && ms <= latestMs ? ms : undefined
}

/** Gateways date in whole seconds (RFC 7519, section 2), so a token may end up to a second before its life is over here. */
export function usableMs(lifetimeMs: number): number {
  return lifetimeMs - Math.min(1000, lifetimeMs / 2)
}

/** When a token is replaced: after 80 to 90 per cent of its life, and at most a minute before its end. */
export function refreshAfterMs(lifetimeMs: number, random: number): number {
  const margin = Math.min(lifetimeMs * (0.1 + 0.1 * random), 60_000 * (0.5 + 0.5 * random))
  return lifetimeMs - margin
}
