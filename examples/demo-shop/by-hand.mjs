// @ts-check
// Payments without merchant-gateway, as many write them first. WRONG, and here to be seen failing: it makes a new id for
// each try, so a lost response pays twice, and it pays the tea garden at each callback, so a second callback pays twice.
import { randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { currencyCode, newPayment, product, withPayment } from './order.mjs'

const { GATEWAY_BASE_URL, GATEWAY_MERCHANT_CODE, GATEWAY_PRIVATE_KEY, GATEWAY_PRIVATE_KEY_FILE } = process.env
const key = GATEWAY_PRIVATE_KEY ?? readFileSync(GATEWAY_PRIVATE_KEY_FILE ?? '', 'utf8')
const json = 'application/json'
const operations = ['POST /payins/.*', 'GET /payins/.*', 'POST /payouts/.*']
const account = { accountName: 'Midori Tea Garden', accountNumber: '000123-9876543210' }

/**
 * @typedef {import('./order.mjs').Order} Order
 *
 * @param {string} path @param {object | undefined} content @param {Record<string, string>} [headers]
 * @returns {Promise<{ token?: string, process?: { status?: string }, paymentMethodResponse?: Order['payTo'] }>}
 */
async function call(path, content, headers) {
  const own = headers ?? { authorization: `Bearer ${await token()}` }
  const response = await fetch(GATEWAY_BASE_URL + path, {
    method: content === undefined ? 'GET' : 'POST',
    headers: { accept: json, 'content-type': json, 'x-api-version': '2', ...own },
    body: JSON.stringify(content) ?? null,
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return JSON.parse(await response.text())
}

async function token() {
  const timestamp = Math.floor(Date.now() / 1000)
  const request = { merchantCode: GATEWAY_MERCHANT_CODE, operations, validitySecs: 600, timestamp }
  const signature = sign('sha256', Buffer.from(JSON.stringify(request)), key).toString('base64')
  return (await call('/auth-tokens', request, { 'x-signature': signature })).token
}

/** @param {'payin' | 'payout'} kind @param {number} cents @param {object} more */
async function create(kind, cents, more) {
  const content = { paymentRequested: { money: { amount: cents / 100, currencyCode } }, ...more }
  for (let tries = 1; ; tries++) {
    const payment = { ...newPayment(kind, randomUUID(), cents), status: 'PENDING' }
    try {
      return { created: await call(`/${kind}s/${payment.id}`, content), payment }
    } catch (error) {
      if (tries === 3) throw error
    }
  }
}

/** @param {import('./payments.mjs').Parts} parts */
export function openPayments({ storage, publicUrl }) {
  /** @param {Order} order */
  async function follow({ id, quantity, payTo }) {
    if (payTo !== null) return
    const urls = { callbackUrl: `${publicUrl}/gateway/callbacks/${id}`, returnUrl: `${publicUrl}/` }
    const more = { paymentMethod: { paymentMethodCode: 'VAPAY' }, ...urls }
    const { created, payment } = await create('payin', quantity * product.cents, more)
    const { reference, expireAt } = created.paymentMethodResponse ?? {}
    storage.change(id, (order) => ({ ...order, payTo: { reference, expireAt }, payments: [payment] }))
  }

  /** @param {string} id */
  async function onCallback(id) {
    const [payin] = storage.get(id)?.payments ?? []
    if (payin === undefined) return
    const { process } = await call(`/payins/${payin.id}`, undefined)
    const { quantity } = storage.change(id, (order) =>
      withPayment(order, payin.id, ({ status }) => ({ status: process?.status ?? status })),
    )
    if (process?.status !== 'SUCCESS') return
    const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
    const { payment } = await create('payout', quantity * product.gardenCents, { paymentMethod })
    storage.change(id, (order) => {
      return { ...order, shipments: order.shipments + 1, payments: [...order.payments, payment] }
    })
  }

  /** @param {import('./http.mjs').Request} request @param {import('./http.mjs').Response} response */
  function receiveCallback({ url = '' }, response) {
    const status = onCallback(url.split('/').at(-1) ?? '').then(() => 204)
    void status.catch(() => 500).then((code) => response.writeHead(code).end())
  }

  for (const order of storage.all()) follow(order).catch(() => {})
  return { follow, receiveCallback, close: async () => {} }
}
