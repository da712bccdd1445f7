// @ts-check
import { masked } from './transcript.mjs'

/** @param {unknown} fee */
export function feeText(fee) {
  const isMoney = typeof fee === 'object' && fee !== null && 'amount' in fee && 'currencyCode' in fee
  return isMoney ? `, for a fee of ${moneyText(Number(fee.amount), String(fee.currencyCode))}` : ''
}

/** With the decimals of its currency: `1.00 EUR`. @param {number} amount @param {string} currency */
function moneyText(amount, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return `${amount.toFixed(format.resolvedOptions().maximumFractionDigits)} ${currency}`
}

/** Which fields came, and nothing of what a customer is called. @param {import('merchant-gateway').CustomerAccountData} data */
export function accountLines(data) {
  /** @type {string[]} */
  const fields = []
  const visit = (/** @type {unknown} */ value, /** @type {string} */ path) => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) visit(child, path === '' ? name : `${path}.${name}`)
    } else if (value !== null && path !== 'idPayin') {
      fields.push(/number$/i.test(path) ? `${path} (${masked(value)})` : path)
    }
  }
  visit(data, '')
  return [`Fields: ${fields.join(', ') || 'none'}.`]
}

/** @param {import('merchant-gateway').DecodedToken} decoded */
export function scopeOf({ claims }) {
  const { action, operations } = claims
  if (typeof action === 'string') return `${action} on this one payin`
  return Array.isArray(operations) ? operations.join(', ') : 'something that it does not show'
}

/** @param {import('merchant-gateway').DecodedToken} decoded */
export function lifetimeOf({ issuedAt, expiresAt }) {
  if (expiresAt === undefined) return 'with no end that it shows'
  const until = `until ${expiresAt.toISOString()}`
  if (issuedAt === undefined) return `valid ${until}`
  return `valid for ${(expiresAt.getTime() - issuedAt.getTime()) / 1000} s, ${until}`
}

/** @param {{ amount: string, currency: string }} choices */
export function shown({ amount, currency }) {
  return `${amount} ${currency}`
}

/** A code list or balances, whatever their shape: the specification does not show it. @param {unknown} answer */
export function listed(answer) {
  const list = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
  if (!Array.isArray(list)) return JSON.stringify(answer).slice(0, 300)
  return list.map((entry) => leaves(entry).join(' ')).join(', ') || 'nothing'
}

/** @param {unknown} value @returns {string[]} */
function leaves(value) {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)]
}
