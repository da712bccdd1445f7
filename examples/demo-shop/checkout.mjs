// @ts-check
// What the shop sells, and what a customer has sent, checked: the prices are the shop's, whatever the browser says.

export const shopName = 'Harbour Tea'
export const currencyCode = 'EUR'

/** All money of this shop is counted in cents, so sums are exact. */
export const products = [
  { id: 'sencha', name: 'Sencha', about: 'Green, from Shizuoka. 100 g.', cents: 980 },
  { id: 'darjeeling', name: 'Darjeeling', about: 'First flush, light and floral. 100 g.', cents: 1450 },
  { id: 'lapsang', name: 'Lapsang Souchong', about: 'Black, dried over pine smoke. 100 g.', cents: 1120 },
  { id: 'teapot', name: 'Teapot', about: 'Cast iron, with a strainer. 0.8 l.', cents: 4800 },
]

/** A request that the shop refuses; the message is for the customer. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

const mostOfEach = 20
const longestText = 100

/**
 * @param {Record<string, unknown>} body
 * @returns {import('./order.mjs').Checkout}
 * @throws {Refusal} in the customer's words
 */
export function readCheckout({ lines, bank, account }) {
  if (!Array.isArray(lines) || lines.length === 0) throw new Refusal(400, 'Please choose something first.')
  if (lines.length > products.length) throw new Refusal(400, 'Please order each product once.')
  const read = lines.map((line) => readLine(fields(line)))
  const { methodCode, operatorCode } = fields(bank)
  const { accountName, accountNumber } = fields(account)
  return {
    lines: read,
    cents: read.reduce((sum, { cents }) => sum + cents, 0),
    methodCode: text(methodCode, 'Please choose your bank.'),
    operatorCode: text(operatorCode, 'Please choose your bank.'),
    account: {
      accountName: text(accountName, 'Please say who holds the account.'),
      accountNumber: text(accountNumber, 'Please give the number of your account.'),
    },
  }
}

/** @param {Record<string, unknown>} line */
function readLine({ product: id, quantity }) {
  const product = products.find((one) => one.id === id)
  if (product === undefined) throw new Refusal(400, 'We no longer sell one of the products you chose.')
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1 || quantity > mostOfEach) {
    throw new Refusal(400, `You can order 1 to ${mostOfEach} of each product.`)
  }
  return { name: product.name, quantity, cents: product.cents * quantity }
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
