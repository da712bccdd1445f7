import * as z from 'zod/mini'
import { decoded } from '../../../common/text.js'
import { check, dotted } from '../../../gateway/input/check.js'
import { asRefusal, PageRefusal } from './responses.js'

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
