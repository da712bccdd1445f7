// @ts-check
// What the shop sells, and what a customer has sent, checked: the prices are the shop's, whatever the browser says.

export const shopName = 'Harbour Tea'
export const currencyCode = 'EUR'

/** All money of this shop is counted in cents, so products and sums are exact. */
export const product = { name: 'Sencha', about: 'Green tea from Shizuoka, 100 g', cents: 980 }

/** A request that the shop refuses; the message is for the customer. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

const mostPackets = 20
const longestText = 100

/**
 * @param {Record<string, unknown>} body
 * @returns {import('./order.mjs').Checkout}
 * @throws {Refusal} in the customer's words
 */
export function readCheckout({ quantity, bank, account }) {
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1 || quantity > mostPackets) {
    throw new Refusal(400, `You can order 1 to ${mostPackets} packets.`)
  }
  const { methodCode, operatorCode } = fields(bank)
  const { accountName, accountNumber } = fields(account)
  return {
    quantity,
    cents: product.cents * quantity,
    methodCode: text(methodCode, 'Please choose your bank.'),
    operatorCode: text(operatorCode, 'Please choose your bank.'),
    account: {
      accountName: text(accountName, 'Please say who holds the account.'),
      accountNumber: text(accountNumber, 'Please give the number of your account.'),
    },
  }
}

/** Cents of "4.50", as a browser sends what a customer has written. @param {unknown} amount */
export function readCents(amount) {
  const written = typeof amount === 'string' ? amount : ''
  const [, whole = '', part = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(written) ?? []
  if (whole === '') throw new Refusal(400, 'Please write an amount such as 4.50.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** @param {unknown} value @param {string} otherwise */
function text(value, otherwise) {
  const trimmed = typeof value === 'string' ? value.trim() : ''
  if (trimmed === '' || trimmed.length > longestText) throw new Refusal(400, otherwise)
  return trimmed
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function fields(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
