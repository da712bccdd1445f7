import { failureKind } from '../input/failure-kind.js'
import type { BudgetStore } from './store.js'

/**
 * A warning of the process, for where nobody has asked to be told.
 *
 * @param goesOn whether this process sends its share without the store.
 */
export function warnOfAway({ name }: BudgetStore, reason: unknown, goesOn: boolean): void {
  const then = goesOn
    ? 'so this process goes on at its share of the budget'
    : 'so calls wait for it, and then fail'
  process.emitWarning(`${name}, where the budget is kept, can't be asked (${kindOf(reason)}), ${then}.`, {
    type: 'MerchantGatewayBudget',
    code: 'MERCHANT_GATEWAY_BUDGET',
  })
}

/** What PostgreSQL says where its tables, functions or their schema were never made. */
const missing = new Set(['3F000', '42P01', '42883'])

/** The kind of an error and never its text, which may hold an address or a password. */
function kindOf(reason: unknown): string {
  if (!(reason instanceof Error)) return failureKind(reason)
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined
  if (code === undefined || !/^\w{1,40}$/.test(code)) return failureKind(reason)
  const mend = missing.has(code) ? ': its tables are missing, so run what schemaSql() gives' : ''
  return `${reason.name} ${code}${mend}`
}
