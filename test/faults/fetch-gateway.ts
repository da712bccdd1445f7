import { anyToken } from './servers.js'

export interface Arrival {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: Headers
  /** By the clock of this process, which tests may hold. */
  readonly atMs: number
}

export interface FetchGateway {
  readonly fetch: typeof globalThis.fetch
  readonly arrivals: Arrival[]
}

/** A gateway without sockets, for tests in which the clock stands still. Token requests are answered by itself. */
export function fetchGateway(answer: (arrival: Arrival) => Response | Promise<Response>): FetchGateway {
  const arrivals: Arrival[] = []
  return {
    arrivals,
    async fetch(input, init) {
      const { pathname, search } = new URL(String(input))
      const headers = new Headers(init?.headers)
      const body = init?.body
      const arrival = {
        method: init?.method ?? 'GET',
        path: pathname + search,
        body: body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : String(body ?? ''),
        headers,
        atMs: performance.now(),
      }
      arrivals.push(arrival)
      return pathname.startsWith('/auth-tokens') ? Response.json({ token: anyToken }) : answer(arrival)
    },
  }
}
