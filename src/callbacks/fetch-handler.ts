import type { Receive } from './answer.js'

/**
 * A handler from `Request` to `Response`: Hono, Next, Bun, Deno. The body is not touched at all:
 * each of these servers throws away what a handler has not read, and cancelling it here would end the
 * connection on some of them before the answer is out.
 */
export function fetchHandler(receive: Receive): (request: Request) => Promise<Response> {
  return async ({ url }) => {
    const { status, headers } = await receive(url)
    return new Response(null, { status, headers: { ...headers, 'cache-control': 'no-store' } })
  }
}
