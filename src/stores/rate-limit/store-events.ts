import { channel } from 'node:diagnostics_channel'
import { failureKind } from '../../client/input/failure-kind.js'
import type { RateLimitStoreEvent } from '../../index.js'
import type { SharedText } from './store.js'

/** @param goesOn whether this process sends its share without the store. */
export function reportAway(
  store: SharedText,
  reason: unknown,
  goesOn: boolean,
  onStoreAway: ((reason: unknown) => void) | undefined,
): void {
  publish('store-away', store)
  try {
    if (onStoreAway === undefined) warnOfAway(store, reason, goesOn)
    else onStoreAway(reason)
  } catch {
    // A listener that throws must not fail a payment.
  }
}

function warnOfAway({ name }: SharedText, reason: unknown, goesOn: boolean): void {
  const then = goesOn ? 'so this process continues at its share' : 'so calls wait for it, and then fail'
  warn(`${name}, where the shared rate limit is kept, can't be asked (${kindOf(reason)}), ${then}.`)
}

export function reportBack(store: SharedText): void {
  publish('store-back', store)
}

/** Stores whose reset a warning has told of. */
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

/** What PostgreSQL says where its tables or their schema were never made. */
const missing = new Set(['3F000', '42P01'])

/** The kind of an error and never its text, which may hold an address or a password. */
function kindOf(reason: unknown): string {
  if (!(reason instanceof Error)) return failureKind(reason)
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined
  if (code === undefined || !/^\w{1,40}$/.test(code)) return failureKind(reason)
  const remedy = missing.has(code) ? ': its tables are missing, so run what schemaSql() gives' : ''
  return `${reason.name} ${code}${remedy}`
}
