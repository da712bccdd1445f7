import { InvalidInputError } from '../errors.js'
import { isNotEmpty, listOf, textLike } from '../input/kinds.js'
import { checkId } from '../input/payment-id.js'

export const operationList = listOf(
  'a list of entries such as "GET /payins/.*"; operation() makes them',
  (expected) => textLike(expected, /^[A-Z]+ \S+$/),
  isNotEmpty,
)

/** The names in braces of a path template. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends `${number}` | `${number},${string}` | ''
    ? PathParameters<Rest>
    : Name | PathParameters<Rest>
  : never

/** The ids that a path template wants; none where it has no braces. */
export type OperationIds<Path extends string> = string extends Path
  ? [ids?: Readonly<Record<string, string>>]
  : [PathParameters<Path>] extends [never]
    ? []
    : [ids: Readonly<Record<PathParameters<Path>, string>>]

/**
 * One entry of a token's `operations`: a method, a space and a path. The path is a regular expression for the gateway
 * (specification, section 2), so ids are escaped; what stands outside of the braces is taken as it is written.
 *
 * @example
 * operation('GET', '/payins/{idPayin}', { idPayin: 'a.b' }) // 'GET /payins/a\\.b'
 * operation('POST', '/payouts/.*')                          // every payout: never for browsers
 * @throws for an id that could reach another endpoint, or one that is missing ({@link InvalidInputError}).
 */
export function operation<const Path extends string>(
  method: string,
  path: Path,
  ...[ids]: OperationIds<Path>
): string {
  if (!/^[A-Z]+$/.test(method)) {
    throw new InvalidInputError('method must be an HTTP method in capitals such as "GET".', {
      field: 'method',
    })
  }
  if (!path.startsWith('/')) {
    throw new InvalidInputError('path must start with "/".', { field: 'path' })
  }
  const values: Readonly<Record<string, string>> = ids ?? {}
  const filled = path.replace(/\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    return idPattern(checkId(values[name], name))
  })
  return `${method} ${filled}`
}

/** An id as a part of an entry: the very one, and no pattern (assumed: encoded as in the path that is sent). */
export function idPattern(id: string): string {
  return escapePattern(encodeURIComponent(id))
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
