import { failureKind } from '../../client/input/failure-kind.js'
import type { SharedText } from './store.js'

/** @param goesOn whether this process sends its share without the store. */
export function warnOfAway({ name }: SharedText, reason: unknown, goesOn: boolean): void {
  const then = goesOn ? 'so this process continues at its share' : 'so calls wait for it, and then fail'
  warn(`${name}, where the shared rate limit is kept, can't be asked (${kindOf(reason)}), ${then}.`)
}

export function warnOfReset({ name }: SharedText): void {
  warn(
    `What ${name} kept of the shared rate limit can't be true, so it begins anew and nothing is sent for a moment: somebody else writes there, or the store's clock was set back.`,
  )
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
