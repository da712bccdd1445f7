// @ts-check
// What the shop and the bar of the demo have in common over HTTP.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
/** @type {Readonly<Record<string, string>>} by the end of a file's name */
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
const mostBytes = 10_000

/** On this machine only. @param {import('node:http').Server} server @param {number} port 0 for a free one */
export async function listen(server, port) {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`
}

/** @param {(request: Request, response: Response) => Promise<void>} serve */
export function handler(serve) {
  return (/** @type {Request} */ request, /** @type {Response} */ response) =>
    void serve(request, response).catch((error) => {
      console.error(error instanceof Error ? error.message : error)
      refuse(response, 503, 'Something is wrong on our side right now.')
    })
}

/** @param {Response} response @param {unknown} value */
export function sendJson(response, value, status = 200) {
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { ...headers, 'content-type': type }).end(JSON.stringify(value))
}

/** @param {Response} response @param {number} status @param {string} message for whoever sent the request */
export function refuse(response, status, message) {
  sendJson(response, { message }, status)
}

/** @param {Response} response @param {string | undefined} name of a file in the folder public */
export function sendFile(response, name) {
  if (name === undefined) return refuse(response, 404, 'There is nothing here.')
  const type = `${types[name.split('.')[1] ?? '']}; charset=utf-8`
  const bytes = readFileSync(new URL(`public/${name}`, import.meta.url))
  response.writeHead(200, { ...headers, 'content-type': type }).end(bytes)
}

/**
 * A JSON object that a page of this server has sent. With this content type a browser lets no page of another site do so.
 * @param {Request} request @returns {Promise<Record<string, unknown> | undefined>} undefined for anything else
 */
export async function readJson(request) {
  const { 'content-type': type = '', 'content-length': length } = request.headers
  if (!/^application\/json\s*(?:;|$)/i.test(type) || !(Number(length) <= mostBytes)) return undefined
  return text(request)
    .then(JSON.parse)
    .then(Object, () => undefined)
}
