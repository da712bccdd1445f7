export interface TokenFacts {
  readonly validitySecs: number
  /** The token's own claims, in seconds of the gateway's clock; whatever came under these names. */
  readonly iat: unknown
  readonly exp: unknown
  /** The gateway's clock when it answered, in milliseconds; a number, and not NaN. */
  readonly gatewayNowMs: number | undefined
}

/**
 * How long a token lives, in milliseconds from when it was asked for: from 0 to what was asked for, whatever
 * it claims. Both ends are read off the gateway's clock: on this machine's, a fresh token may look as if it
 * had expired long ago.
 */
export function tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs }: TokenFacts): number {
  const askedMs = Math.min(validitySecs * 1000, latestMs)
  const endMs = timeOf(exp)
  if (endMs === undefined) return askedMs
  const issuedMs = timeOf(iat)
  // Issued after its own end: one of the two is wrong, so the response's date stands in.
  const startMs = issuedMs !== undefined && issuedMs < endMs ? issuedMs : (gatewayNowMs ?? issuedMs)
  if (startMs === undefined) return askedMs
  return Math.max(0, Math.min(askedMs, endMs - startMs))
}

/** As far as a `Date` reaches. */
const latestMs = 8.64e15

/** A claim in seconds as a time in milliseconds; a number that is no time since 1970 claims nothing. */
function timeOf(secs: unknown): number | undefined {
  const ms = typeof secs === 'number' ? secs * 1000 : Number.NaN
  return ms >= 0 && ms <= latestMs ? ms : undefined
}

/**
 * How long a token of such a life is used. A gateway dates in whole seconds (RFC 7519, section 2): a token that it
 * makes at 12:00:00.9 may be dated 12:00:00, and ends up to a second before its life, counted from here, is over.
 */
export function usableMs(lifetimeMs: number): number {
  return lifetimeMs - Math.min(1000, lifetimeMs / 2)
}

/**
 * When a token is to be replaced, counted from its birth: after 80 to 90 per cent of its life, and at
 * most a minute early. A share of the life, so that no margin can be longer than the life itself.
 */
export function refreshAfterMs(lifetimeMs: number, random: number): number {
  const margin = Math.min(lifetimeMs * (0.1 + 0.1 * random), 60_000 * (0.5 + 0.5 * random))
  return lifetimeMs - margin
}
