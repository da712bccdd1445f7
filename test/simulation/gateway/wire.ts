import type { GatewayRequest } from '../../../src/sandbox/wire/request.js'
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

/** What a `fetch` is called with, as the gateway takes it. */
export function requestOf(url: string, { method = 'GET', headers, body }: RequestInit = {}): GatewayRequest {
  const { pathname, search } = new URL(url)
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : new Uint8Array()
  return {
    method,
    path: pathname + search,
    headers: Object.fromEntries(Object.entries(headers ?? {})),
    body: bytes,
  }
}

export function responseOf(
  { status, headers }: Answer,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Response {
  return new Response(body, { status, headers })
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
