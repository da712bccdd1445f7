// @ts-check
// What every small web server needs: files, JSON, and who may ask.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** A request that the shop refuses; the message is for the customer. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
}
const folder = new URL('public/', import.meta.url)
const files = new Set(readdirSync(folder))

/** @param {string} framedBy the origin that may show the shop in a frame, or 'none' in quotes */
const headers = (framedBy) => ({
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors ${framedBy}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

/** @param {import('node:http').ServerResponse} response @param {string} name */
export async function sendFile(response, name, framedBy = "'none'") {
  if (!files.has(name)) throw new Refusal(404, 'There is no such page.')
  const bytes = await readFile(new URL(name, folder))
  const type = `${types[extname(name)]}; charset=utf-8`
  response.writeHead(200, { ...headers(framedBy), 'content-type': type }).end(bytes)
}

/** @param {import('node:http').ServerResponse} response @param {unknown} value */
export function sendJson(response, value, status = 200) {
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { ...headers("'none'"), 'content-type': type }).end(JSON.stringify(value))
}

const mostBytes = 10_000

/**
 * A JSON body from the shop's own page. A page of another site can send a request, but neither with this content
 * type nor from this origin.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Record<string, unknown>>}
 */
export async function readJson(request) {
  const { origin, host, 'content-type': type = '' } = request.headers
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) {
    throw new Refusal(403, 'Only the page of the shop may do this.')
  }
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new Refusal(415, 'The body must be application/json.')
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > mostBytes) throw new Refusal(413, 'That is too much at once.')
  }
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}
