import { channel } from 'node:diagnostics_channel'
import { failureKind } from '../../client/input/failure-kind.js'
import type { RateLimitStoreEvent } from '../../index.js'

/** One text for all processes, which changes only where nobody else has changed it meanwhile. */
export interface SharedText {
  /** For sentences: `Redis`. */
  readonly name: string
  /** Reads so many characters at most. */
  read(longest: number): Promise<TextReading>
  /** Keeps another text for `keptMs`, unless it is no longer the one that was read. @returns whether it was. */
  swap(read: TextReading, text: string, keptMs: number): Promise<boolean>
}

/** What a store held at one moment. */
export interface TextReading {
  /** The store's clock, in milliseconds since 1970. */
  readonly now: number
  readonly text: string | undefined
  /** The store compares it to see whether the text is still the same. */
  readonly version: string
}

/** The store of a shared rate limit could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class RateLimitStoreError extends Error {
  /** Always `RateLimitStoreError`. */
  override readonly name = 'RateLimitStoreError'
}

/** @param hasShare whether this process sends its share without the store. */
export function reportAway(
  store: SharedText,
  reason: unknown,
  hasShare: boolean,
  onStoreAway: (reason: unknown) => void = (reason) => warnOfAway(store, reason, hasShare),
): void {
  publish('store-away', store)
  try {
    onStoreAway(reason)
  } catch {
    // A listener that throws must not fail a payment.
  }
}

function warnOfAway({ name }: SharedText, reason: unknown, hasShare: boolean): void {
  const then = hasShare ? 'so this process continues at its share' : 'so calls wait for it, and then fail'
  warn(`${name}, where the shared rate limit is kept, can't be asked (${kindOf(reason)}), ${then}.`)
}

export function reportBack(store: SharedText): void {
  publish('store-back', store)
}

/** Stores whose reset was warned of. */
const warned = new WeakSet<SharedText>()

export function reportReset(store: SharedText): void {
  publish('store-reset', store)
  if (warned.has(store)) return
  warned.add(store)
  warn(
    `What ${store.name} kept of the shared rate limit can't be true, so it begins anew and nothing is sent for a moment: somebody else writes there, or the store's clock was set back.`,
  )
}

function publish(kind: RateLimitStoreEvent['kind'], store: SharedText): void {
  const event: RateLimitStoreEvent = { kind, store: store.name }
  channel('merchant-gateway:rate-limit').publish(event)
}

function warn(text: string): void {
  process.emitWarning(text, { type: 'MerchantGatewayRateLimit', code: 'MERCHANT_GATEWAY_RATE_LIMIT' })
}

/** Codes of PostgreSQL for a table and for a schema that was never made. */
const missing = new Set(['3F000', '42P01'])

function kindOf(reason: unknown): string {
  const kind = failureKind(reason)
  return missing.has(kind) ? `${kind}: its tables are missing, so run what schemaSql() gives` : kind
}
