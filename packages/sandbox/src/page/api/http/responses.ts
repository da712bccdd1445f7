import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonOf } from '../../../common/json.js'

const MAX_BODY_BYTES = 64 * 1024

/** A request of the page that is refused. Thrown by its endpoints. */
export class PageRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What `work` returns; an error that it throws is the caller's mistake. */
export function asRefusal<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PageRefusal) throw error
    throw new PageRefusal(400, error instanceof Error ? error.message : String(error))
  }
}

/** The page runs, loads and sends to nothing but its own server, and nobody frames it. */
export const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

export const streamHeaders = {
  ...securityHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
} as const

export function send(response: ServerResponse, status: number, { type, bytes }: Asset): void {
  const headers = { 'content-type': type, 'content-length': bytes.length, 'cache-control': 'no-store' }
  response.writeHead(status, { ...securityHeaders, ...headers }).end(bytes)
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, status, {
    type: 'application/json; charset=utf-8',
    bytes: Buffer.from(JSON.stringify(value)),
  })
}

/** @throws when it is too long, no JSON, or does not say that it is JSON ({@link PageRefusal}). */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new PageRefusal(415, 'The body must be application/json.')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY_BYTES) throw new PageRefusal(413, 'The body is too large.')
    chunks.push(bytes)
  }
  const value = jsonOf(Buffer.concat(chunks).toString('utf8'))
  if (value === undefined) throw new PageRefusal(400, 'The body is not JSON.')
  return value
}

interface Asset {
  readonly type: string
  readonly bytes: Uint8Array
}

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
}

export function asset(name: string): Asset | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined ? undefined : { type, bytes: readFileSync(join(folder(), name)) }
}

/** Beside the built sandbox; for tests of the sources, where the build has put it. */
function folder(): string {
  // CommonJS has __dirname and ECMAScript modules have import.meta.url: the package is built as both.
  const here = typeof __dirname === 'string' ? __dirname : dirname(fileURLToPath(import.meta.url))
  const places = [join(here, 'page'), join(here, '../../../../dist/page')]
  const found = places.find((place) => existsSync(join(place, 'page.js')))
  if (found !== undefined) return found
  throw new Error('The page of the sandbox is not built; "npm run build" builds it.')
}
