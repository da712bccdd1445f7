import { isObject } from '../input/own.js'
import { refreshAfterMs } from './token-lifetime.js'
import type { TokenClaim } from './token-store.js'
import { isHeaderText, longestToken } from './token-text.js'

type Stored = Extract<TokenClaim, { state: 'stored' }>

/** What a store answered, as far as it is an answer: anything may be in a store, and anybody can write one. */
export function readClaim(came: unknown): TokenClaim | undefined {
  if (!isObject(came)) return undefined
  const { state, claim, unreadable, token, lifetimeMs, remainingMs, version } = came
  switch (state) {
    case 'claimed':
      return typeof claim === 'string' ? { state, claim, unreadable: unreadable === true } : undefined
    case 'busy':
      return { state }
    case 'stored':
      return typeof token === 'string' &&
        typeof lifetimeMs === 'number' &&
        typeof remainingMs === 'number' &&
        typeof version === 'string'
        ? { state, token, lifetimeMs, remainingMs, version }
        : undefined
    default:
      return undefined
  }
}

/**
 * Whether a stored token may be used by a client that asks for such a validity. Not when its successor should be
 * there by now, so that nobody begins with what is about to end.
 */
export function isUsable({ token, lifetimeMs, remainingMs }: Stored, validitySecs: number): boolean {
  if (!isHeaderText(token) || token.length > longestToken) return false
  // Written so that it is false where a number is none.
  const isAlive = remainingMs > 0 && remainingMs <= validitySecs * 1000
  return isAlive && lifetimeMs - remainingMs < refreshAfterMs(lifetimeMs, 0)
}
