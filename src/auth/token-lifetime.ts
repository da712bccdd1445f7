/** What is known of how long a new token lives. */
export interface TokenFacts {
  /** What was asked for, in seconds. */
  readonly validitySecs: number
  /** The token's own claims, in seconds of the gateway's clock. */
  readonly iat: number | undefined
  readonly exp: number | undefined
  /** The gateway's clock when it answered, in milliseconds. */
  readonly gatewayNowMs: number | undefined
}

/**
 * How long a token lives, in milliseconds from when it was asked for. Both ends are read off the
 * gateway's clock: on this machine's, a fresh token may look as if it had expired long ago.
 */
export function tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs }: TokenFacts): number {
  const askedMs = validitySecs * 1000
  if (exp === undefined) return askedMs
  const startMs = iat === undefined ? gatewayNowMs : iat * 1000
  if (startMs === undefined) return askedMs
  return Math.max(0, Math.min(askedMs, exp * 1000 - startMs))
}

/**
 * When a token is to be replaced, counted from its birth: after 80 to 90 per cent of its life, and at
 * most a minute early. A share of the life, so that no margin can be longer than the life itself.
 */
export function refreshAfterMs(lifetimeMs: number, random: number): number {
  const margin = Math.min(lifetimeMs * (0.1 + 0.1 * random), 60_000 * (0.5 + 0.5 * random))
  return lifetimeMs - margin
}
