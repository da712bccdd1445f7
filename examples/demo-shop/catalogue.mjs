// @ts-check
// What the shop sells.

export const shopName = 'Harbour Tea'
export const currencyCode = 'EUR'

/**
 * @typedef {object} Product
 * @property {string} id
 * @property {string} name
 * @property {string} about
 * @property {number | null} cents the price; null where the customer chooses it
 */

/** @type {readonly Product[]} */
export const products = [
  { id: 'sencha', name: 'Sencha', about: 'Green, from Shizuoka. 100 g.', cents: 980 },
  { id: 'darjeeling', name: 'Darjeeling', about: 'First flush, light and floral. 100 g.', cents: 1450 },
  { id: 'lapsang', name: 'Lapsang Souchong', about: 'Black, dried over pine smoke. 100 g.', cents: 1120 },
  { id: 'teapot', name: 'Teapot', about: 'Cast iron, with a strainer. 0.8 l.', cents: 4800 },
  { id: 'gift', name: 'Gift card', about: 'Comes by post. You choose the amount in euros.', cents: null },
]

export const limits = {
  quantity: 20,
  giftCents: { least: 100, most: 500_000 },
  /** What one order may cost: a customer's bank would hardly take more, and it may be a slip. */
  totalCents: 1_000_000,
  perMinute: { orders: 30, banks: 90 },
}
