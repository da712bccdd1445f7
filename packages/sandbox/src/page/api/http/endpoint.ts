import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { jsonOf } from '../../../common/json.js'
import { decoded } from '../../../common/text.js'
import { check, dotted } from '../../../gateway/input/check.js'

/** A request of the page; where it comes from has been checked. */
export interface PageRequest {
  readonly method: string
  /** Below /_sandbox/api/. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** The address by which the sandbox itself was called, which a proxy before the page does not change. */
  readonly origin: string
}

type Route = `${'GET' | 'POST' | 'DELETE'} ${string}`

/** One row of the table: a method and a path, and what responds there. */
export interface Endpoint {
  readonly route: Route
  /** @throws {@link PageRefusal}. */
  readonly respond: (request: PageRequest, at: readonly string[]) => unknown
}

export const nothing = z.unknown()

/**
 * @param route such as `POST clock` or `GET requests/*`, where each `*` is one segment
 * @param schema of the body of a POST, and of the query of others
 * @param serve takes the checked body or query, the segments that stand for `*`, decoded, and the sandbox's origin
 */
export function endpoint<T>(
  route: Route,
  schema: z.ZodMiniType<T>,
  serve: (input: T, at: readonly string[], origin: string) => unknown,
): Endpoint {
  return {
    route,
    respond: ({ method, query, body, origin }, at) =>
      serve(read(schema, method === 'POST' ? body : Object.fromEntries(query)), at, origin),
  }
}

/** The response of the row that a request is for; a refusal where there is none. */
export function respondBy(table: readonly Endpoint[], request: PageRequest): unknown {
  const segments = request.path.split('/')
  for (const { route, respond } of table) {
    const [method, path = ''] = route.split(' ')
    const pattern = path.split('/')
    const isMeant = pattern.every((name, index) => name === '*' || name === segments[index])
    if (method !== request.method || pattern.length !== segments.length || !isMeant) continue
    const at = segments.filter((_, index) => pattern[index] === '*').map(decode)
    return respond(request, at)
  }
  throw new PageRefusal(
    404,
    'There is nothing under this method and address, so nothing was done; docs/sandbox-api.md lists what can be asked.',
  )
}

/** What goes in is exact: the sentence names what is wrong. */
function read<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  return asRefusal(() => check(schema, value, (path) => dotted(path) || 'The body'))
}

function decode(segment: string): string {
  const text = decoded(segment)
  if (text === undefined) throw new PageRefusal(400, 'The path is not percent-encoded.')
  return text
}

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
