// @ts-check
// What a customer has sent, checked: the prices are the shop's, whatever the browser says.
import { currencyCode, limits, products } from './catalogue.mjs'
import { decimal, parseCents } from './public/amount.mjs'
import { Refusal } from './web.mjs'

/**
 * @param {Record<string, unknown>} body
 * @returns {import('./order.mjs').Checkout}
 * @throws {Refusal} in the customer's words
 */
export function readCheckout({ lines, bank, account }) {
  if (!Array.isArray(lines) || lines.length === 0) throw new Refusal(400, 'Please choose something first.')
  if (lines.length > products.length) throw new Refusal(400, 'Please order each product once.')
  const read = lines.map((line) => readLine(fields(line)))
  const total = read.reduce((sum, { cents }) => sum + cents, 0)
  checkTotal(total)
  const { methodCode, operatorCode } = fields(bank)
  const { accountName, accountNumber } = fields(account)
  return {
    lines: read.map(({ name, quantity, cents }) => ({ name, quantity, amount: decimal(cents) })),
    total: { amount: decimal(total), currencyCode },
    methodCode: text(methodCode, 'Please choose your bank.'),
    operatorCode: text(operatorCode, 'Please choose your bank.'),
    account: {
      accountName: text(accountName, 'Please say who holds the account.'),
      accountNumber: text(accountNumber, 'Please give the number of your account.'),
    },
  }
}

/** @param {number} cents @throws {Refusal} in the customer's words */
export function checkTotal(cents) {
  if (cents <= limits.totalCents) return
  throw new Refusal(
    400,
    `We take orders of up to ${limits.totalCents / 100} ${currencyCode} here. Please order less, or write to us.`,
  )
}

/** @param {Record<string, unknown>} line */
function readLine({ product: id, quantity, amount }) {
  const product = products.find((one) => one.id === id)
  if (product === undefined) throw new Refusal(400, 'We no longer sell one of the products you chose.')
  const count = typeof quantity === 'string' ? Number(quantity) : quantity
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > limits.quantity) {
    throw new Refusal(400, `You can order 1 to ${limits.quantity} of each product.`)
  }
  return { name: product.name, quantity: count, cents: (product.cents ?? readGift(amount)) * count }
}

/** @param {unknown} amount */
function readGift(amount) {
  const isText = typeof amount === 'string' || typeof amount === 'number'
  const cents = isText ? parseCents(String(amount)) : undefined
  const { least, most } = limits.giftCents
  if (cents === undefined)
    throw new Refusal(400, 'Please write the gift card’s amount as 25, 25.50 or 25,50.')
  if (cents >= least && cents <= most) return cents
  throw new Refusal(400, `A gift card is worth ${least / 100} to ${most / 100} ${currencyCode}.`)
}

const longest = 100

/** @param {unknown} value @param {string} otherwise */
function text(value, otherwise) {
  const trimmed = typeof value === 'string' ? value.trim() : ''
  if (trimmed === '' || trimmed.length > longest) throw new Refusal(400, otherwise)
  return trimmed
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function fields(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
