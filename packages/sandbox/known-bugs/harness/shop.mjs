// What every shop of the known bugs in JavaScript has: a database, a gateway, a web server, and the steps of a shop that
// is right. A shop replaces the steps in which it differs. Not to be copied: a file for each row is no database.
import { createSign, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const {
  PORT,
  SHOP_DATA = '',
  GATEWAY_BASE_URL = '',
  GATEWAY_MERCHANT_CODE,
  GATEWAY_PRIVATE_KEY_FILE = '',
} = process.env
export const url = `http://127.0.0.1:${PORT}`
export const newId = randomUUID
export { sleep }

mkdirSync(SHOP_DATA, { recursive: true })

const fileOf = (key) => join(SHOP_DATA, `${key}.json`)
function write(key, row) {
  writeFileSync(fileOf(`${key}.new`), JSON.stringify(row))
  renameSync(fileOf(`${key}.new`), fileOf(key))
}

/** Rows by the number of their order. Each call is one transaction. */
export const db = {
  get: (key) => (existsSync(fileOf(key)) ? JSON.parse(readFileSync(fileOf(key), 'utf8')) : undefined),
  /** Stores a row unless there is one, and returns the one that is there. */
  insert(key, row) {
    if (db.get(key) === undefined) write(key, row)
    return db.get(key)
  },
  /** Changes a row where it fits; returns whether it did. */
  update(key, change, fits = () => true) {
    const row = db.get(key)
    if (row === undefined || !fits(row)) return false
    write(key, { ...row, ...change })
    return true
  },
  keys: () =>
    readdirSync(SHOP_DATA).flatMap((name) =>
      name.endsWith('.json') && !name.includes('.new') ? [name.slice(0, -5)] : [],
    ),
}

let token
async function mint() {
  const body = JSON.stringify({
    merchantCode: GATEWAY_MERCHANT_CODE,
    operations: ['POST /payins/.*', 'GET /payins/.*', 'POST /payouts/.*', 'GET /payouts/.*'],
    validitySecs: 600,
    timestamp: Math.floor(Date.now() / 1000),
  })
  const signature = createSign('sha256').update(body).sign(readFileSync(GATEWAY_PRIVATE_KEY_FILE), 'base64')
  const { status, json } = await http('POST', '/auth-tokens', body, { 'x-signature': signature })
  if (status !== 200) throw new Error(`no token: ${status}`)
  return Object.values(json).find((text) => typeof text === 'string' && text.split('.').length === 3)
}

async function http(method, path, body, headers) {
  const common = {
    accept: 'application/json',
    'x-api-version': '2',
    ...(body && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(3000)
  const answer = await fetch(GATEWAY_BASE_URL + path, {
    method,
    body,
    signal,
    headers: { ...common, ...headers },
  })
  const text = await answer.text()
  return { status: answer.status, json: answer.ok ? JSON.parse(text) : undefined }
}

export const gateway = {
  /** Whether a dead token is dropped. */
  renewsToken: true,
  async call(method, path, value) {
    const body = value && JSON.stringify(value)
    for (let attempt = 0; ; attempt += 1) {
      token ??= mint()
      const mine = token
      mine.catch(() => {
        if (token === mine) token = undefined
      })
      const answer = await http(method, path, body, { authorization: `Bearer ${await mine}` })
      if (answer.status === 401 && gateway.renewsToken && token === mine) token = undefined
      if (attempt === 3 || (answer.status !== 429 && !(answer.status === 401 && gateway.renewsToken)))
        return answer
      await sleep(answer.status === 429 ? 1100 : 10)
    }
  },
  /** Creates a payin and returns the status of the response. */
  async payin(id, number, money, more = { callbackUrl: `${url}/callback/${number}` }) {
    const { status } = await gateway.call('POST', `/payins/${id}`, {
      paymentRequested: { money },
      paymentMethod: { paymentMethodCode: 'VAPAY', account },
      returnUrl: `${url}/return/${number}`,
      ...more,
    })
    return status
  },
  async payout(id, money) {
    const { status } = await gateway.call('POST', `/payouts/${id}`, {
      paymentRequested: { money },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
    })
    return status
  },
  /** The status and the money of a payin, as the gateway shows them; throws where it does not. */
  async statusOf(id, kind = 'payins') {
    const { status, json } = await gateway.call('GET', `/${kind}/${id}`)
    if (status !== 200) throw new Error(`status: ${status}`)
    const { amount, currencyCode } = json.paymentRequested?.money ?? {}
    return { status: json.process?.status, amount: Number(amount), currencyCode }
  },
}

const account = { accountName: 'Ada', accountNumber: 'DE02120300000000202051' }
export const price = { amount: 19.9, currencyCode: 'EUR' }
/** Whether all of the price was paid. */
export const isPaid = ({ status, amount, currencyCode }) => {
  return status === 'SUCCESS' && amount === price.amount && currencyCode === price.currencyCode
}
const isTaken = (status) => status === 200 || status === 201 || status === 409

/** A shop that is right: the id is stored before the call, a status request decides, and one caller delivers. */
export const right = {
  async order(number) {
    const row = db.insert(number, { id: newId(), state: 'new', shipped: 0 })
    if (row.state === 'new') await right.send(number, row)
  },
  async send(number, { id }) {
    const status = await gateway.payin(id, number, price)
    if (!isTaken(status)) throw new Error(`create: ${status}`)
    db.update(number, { state: 'open' }, ({ state }) => state === 'new')
  },
  async refresh(number) {
    const row = db.get(number)
    if (row === undefined || row.state === 'paid') return
    if (isPaid(await gateway.statusOf(row.id))) right.ship(number)
  },
  ship(number) {
    db.update(number, { state: 'paid', shipped: 1 }, ({ state }) => state !== 'paid')
  },
  async callback(number) {
    if (db.get(number) === undefined) throw new Error('unknown')
    await right.refresh(number)
  },
  back: (number) => right.refresh(number),
  async view(number) {
    await right.refresh(number).catch(() => {})
    return db.get(number)
  },
  async refund(number) {
    const { refund } = db.get(number)
    if (refund === undefined) db.update(number, { refund: newId() })
    const status = await gateway.payout(db.get(number).refund, price)
    if (!isTaken(status)) throw new Error(`refund: ${status}`)
  },
}

/** Serves a shop: its own steps, and those of the right one for the others. */
export function serve(own = {}, answer = (row) => ({ json: row })) {
  const shop = { ...right, ...own }
  const routes = {
    'POST orders': shop.order,
    'POST refund': shop.refund,
    'GET orders': shop.view,
    'POST callback': shop.callback,
    'GET return': shop.back,
  }
  createServer(async (request, response) => {
    request.resume()
    const [, what = '', number = '', more = what] = (request.url ?? '').replace(/\?.*/, '').split('/')
    try {
      const row = await routes[`${request.method} ${more}`](number)
      if (request.method === 'GET' && what === 'orders' && row === undefined)
        return response.writeHead(404).end()
      const { status = 200, headers = {}, json, text = JSON.stringify(json) } = answer(row ?? {}, request)
      response.writeHead(status, headers).end(text)
    } catch {
      response.writeHead(503).end()
    }
  }).listen(Number(PORT), '127.0.0.1')
}
