import type { GatewayRequest } from '../../../packages/sandbox/src/gateway/wire/request.js'
import { callNumberIn, type Sent } from '../judge/calls.js'
import type { Judge } from '../judge/judge.js'
import type { Fault } from '../plan.js'

/** What comes back on a line. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the gateway itself has said it, and nothing in front of it. */
  readonly isGateways: boolean
}

/** Where the gateway is. */
export const baseUrl = 'https://gateway.example'

/** What a `fetch` is called with, as the gateway takes it. */
export function requestOf(url: string, { method = 'GET', headers, body }: RequestInit = {}): GatewayRequest {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : new Uint8Array()
  return {
    method,
    path: pathOf(url),
    headers: Object.fromEntries(Object.entries(headers ?? {})),
    body: bytes,
  }
}

/** As a URL says it; there is nothing in most that parsing would change. */
function pathOf(url: string): string {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : ''
  if (/^(?:\/[\w-]+)+$/.test(path)) return path
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A response whose body does not come whole. */
export function brokenResponse(
  { status, headers }: Answer,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Response {
  return new Response(body, { status, headers })
}

const encoder = new TextEncoder()

/**
 * A response that comes whole, with what the client reads of a `Response`: a real one with its stream costs as much as
 * all that the client does with it. Whatever else is read of it throws, since it is none.
 */
export function wholeResponse({ status, headers, body }: Answer): Response {
  return standIn(Response.prototype, {
    status,
    ok: status >= 200 && status < 300,
    type: 'default',
    redirected: false,
    url: '',
    headers: standIn(Headers.prototype, { get: (name: string) => headers[name] ?? null }),
    body: body === '' ? null : standIn(ReadableStream.prototype, { getReader: () => readerOf(body) }),
  })
}

function readerOf(body: string): object {
  const chunks = [encoder.encode(body)]
  return {
    read: async () => {
      const value = chunks.pop()
      return { done: value === undefined, value }
    },
  }
}

/** Its members hide those of the prototype. */
function standIn<T extends object>(prototype: T, members: Readonly<Record<string, unknown>>): T {
  return Object.create(prototype, Object.getOwnPropertyDescriptors(members))
}

/** A connection that ends, or is never there, as Node's fetch tells of it. */
export function broken(code: 'ECONNRESET' | 'ECONNREFUSED'): TypeError {
  const syscall = code === 'ECONNREFUSED' ? { syscall: 'connect' } : {}
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...syscall }) })
}

/** What stands in front of the gateway says something of its own. */
export function proxyAnswer({ variant }: Fault): Answer {
  const status = [502, 503, 504, 200][variant % 4] ?? 502
  const headers = { 'content-type': 'text/html' }
  return { status, headers, body: '<html><body>One moment, please.</body></html>', isGateways: false }
}

/** Notes on the call of a create that one more request of it goes out. */
export function sentBy(judge: Judge, { method, path, body }: GatewayRequest): Sent | undefined {
  if (method !== 'POST' || !/^\/pay(?:in|out)s\/[^!]/.test(path)) return undefined
  const { paymentMethod } = JSON.parse(Buffer.from(body).toString())
  const call = judge.calls[(callNumberIn(paymentMethod?.emailAddress) ?? 0) - 1]
  if (call === undefined) {
    judge.violated('the money and account that were asked for', `${path} was sent for nobody`)
    return undefined
  }
  const sent: Sent = { knowable: 'possible' }
  call.sent.push(sent)
  return sent
}
