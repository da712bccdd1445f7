// @ts-check
// The bar above the shop and the gateway's page: makes things go wrong, and counts. The gateway lets nobody frame its
// page, so this server hands it on as its own, and the shop beside it.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request as ask } from 'node:http'
import { join } from 'node:path'
import { handler, readJson, refuse, sendFile, sendJson } from './http.mjs'
import { readOrders } from './storage.mjs'

/** @type {Readonly<Record<string, string>>} */
const files = { '': 'demo.html', 'shop.css': 'shop.css', 'demo.js': 'demo.js' }

/**
 * @typedef {import('./http.mjs').Request} Request
 * @typedef {import('./http.mjs').Response} Response
 * @typedef {import('merchant-gateway-sandbox').Sandbox} Sandbox
 *
 * @typedef {object} Shop
 * @property {boolean} isByHand whether it starts without merchant-gateway
 * @property {string | undefined} url where it listens; undefined while it is dead
 * @property {import('node:child_process').ChildProcess} child
 *
 * @param {{ sandbox: Sandbox, gatewayUrl: string, shop: Shop, folder: string }} parts `folder` holds the shop's orders
 */
export function barHandler({ sandbox, gatewayUrl, shop, folder }) {
  /** @type {Record<'lose' | 'repeat', import('merchant-gateway-sandbox').FaultHandle | undefined>} */
  const armed = { lose: undefined, repeat: undefined }
  // By hand, a payin of a lost response belongs to no order, and its callback changes nothing.
  const isSold = (/** @type {{ id: string }} */ { id }) =>
    sandbox.payins.get(id).status === 'SUCCESS' &&
    readOrders(folder).some(({ payments: [one] }) => one?.id === id)

  async function kill() {
    if (shop.child.kill('SIGKILL')) await once(shop.child, 'exit')
  }

  /** Both sides begin anew, and so does the counter. @param {boolean} isByHand */
  async function change(isByHand) {
    shop.isByHand = isByHand
    await kill()
    for (const { id } of readOrders(folder)) rmSync(join(folder, `${id}.json`))
    sandbox.reset()
    armed.lose = armed.repeat = undefined
  }

  /** @type {Readonly<Record<string, () => unknown>>} */
  const actions = {
    lose() {
      armed.lose?.remove()
      armed.lose = sandbox.fault({ route: 'create', action: { kind: 'drop-after' } })
    },
    repeat() {
      armed.repeat?.remove()
      armed.repeat = sandbox.callbackFault({ kind: 'payin', match: isSold, action: { kind: 'twice' } })
    },
    kill,
    'by-hand': () => change(true),
    'with-library': () => change(false),
  }

  function state() {
    const orders = readOrders(folder)
    return {
      orders: orders.length,
      payins: sandbox.payins.size,
      sold: orders.filter(({ shipments }) => shipments > 0).length,
      payouts: sandbox.payouts.size,
      isByHand: shop.isByHand,
      isRunning: shop.url !== undefined,
      loses: armed.lose?.hits === 0,
      repeats: armed.repeat?.hits === 0,
    }
  }

  return handler(async (request, response) => {
    const { url = '' } = request
    if (!isOurs(request)) return refuse(response, 403, 'This page answers to its own address only.')
    if (url.startsWith('/_sandbox/')) return handOn(gatewayUrl, request, response)
    if (url.startsWith('/demo/')) return answer(url.slice('/demo/'.length), request, response)
    if (shop.url !== undefined) return handOn(shop.url, request, response)
    response.setHeader('refresh', '1') // of a page that was opened meanwhile
    refuse(response, 503, 'The shop is dead.')
  })

  /** @param {string} name @param {Request} request @param {Response} response */
  async function answer(name, request, response) {
    if (request.method === 'GET' && name !== 'state') return sendFile(response, files[name])
    const act = actions[name]
    if (act && (await readJson(request))) await act()
    sendJson(response, state())
  }
}

/**
 * Whether it comes from this server's own pages, or from a program. A web site that is open in the same browser must
 * neither read nor press anything, also not under a name that it points to this machine. @param {Request} request
 */
function isOurs({ headers: { host = '', origin, 'sec-fetch-site': site }, socket }) {
  const isThisServer = ['127.0.0.1', 'localhost'].some((name) => host === `${name}:${socket.localPort}`)
  const isSameOrigin = origin === undefined || origin === `http://${host}`
  return isThisServer && isSameOrigin && (site === undefined || site === 'same-origin' || site === 'none')
}

/** @param {string} target @param {Request} request @param {Response} response */
function handOn(target, request, response) {
  const { host, origin } = new URL(target)
  const { url = '', method, headers } = request
  const own = { ...headers, host, ...(headers.origin !== undefined && { origin }) }
  const passed = ask(origin + url, { method, headers: own }, (answer) => {
    const policy = String(answer.headers['content-security-policy'] ?? "default-src 'none'")
    const framed = policy.replace(/frame-ancestors [^;]*/, "frame-ancestors 'self'")
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-security-policy': framed })
    answer.pipe(response)
  })
  // The other side was killed, or the browser has gone.
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}
