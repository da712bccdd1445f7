// @ts-check
// What every little web server needs: files, JSON, and who may ask.
import { readFile } from 'node:fs/promises'

/** A request that the shop refuses. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @type {Readonly<Record<string, string>>} */
const files = {
  '/index.html': 'text/html; charset=utf-8',
  '/shop.css': 'text/css; charset=utf-8',
  '/shop.js': 'text/javascript; charset=utf-8',
}

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** @param {import('node:http').ServerResponse} response @param {string} path */
export async function sendFile(response, path) {
  const type = Object.hasOwn(files, path) ? files[path] : undefined
  if (type === undefined) throw new Refusal(404, 'There is no such file.')
  const bytes = await readFile(new URL(`./public${path}`, import.meta.url))
  response.writeHead(200, { ...headers, 'content-type': type }).end(bytes)
}

/** @param {import('node:http').ServerResponse} response @param {unknown} value */
export function sendJson(response, value = {}, status = 200) {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const mostBytes = 10_000

/**
 * A JSON body from the shop's own page. A page of another site can send a request, but neither with this
 * content type nor from this origin.
 *
 * @param {import('node:http').IncomingMessage} request @param {string} url
 * @returns {Promise<Record<string, unknown>>}
 */
export async function readJson(request, url) {
  const { origin, 'content-type': type } = request.headers
  if (origin !== undefined && origin !== url) throw new Refusal(403, 'Only the page of the shop may do this.')
  if (type !== 'application/json') throw new Refusal(415, 'The body must be application/json.')
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > mostBytes) throw new Refusal(413, 'The body is too large.')
  }
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}
