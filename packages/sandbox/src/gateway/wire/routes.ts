import { decoded } from '../../common/text.js'

/**
 * The endpoints of section 4 by the names that `sandbox.fault` and the request log use. The last one's
 * path is a gap of the specification; its name stays the same when `customerAccountPath` changes it.
 */
export type RouteName =
  | 'POST /auth-tokens-by-action'
  | 'POST /auth-tokens'
  | 'POST /payins/!availablePaymentOptions'
  | 'GET /merchant-info'
  | 'POST /payins/{idPayin}'
  | 'GET /payins/{idPayin}'
  | 'POST /payouts/{idPayout}'
  | 'GET /payouts/{idPayout}'
  | 'GET /balances'
  | 'GET /currencies'
  | 'GET /payment-operators'
  | 'GET /payins/{idPayin}/customer-account'

export const routeNames: readonly RouteName[] = [
  'POST /auth-tokens-by-action',
  'POST /auth-tokens',
  'POST /payins/!availablePaymentOptions',
  'GET /merchant-info',
  'POST /payins/{idPayin}',
  'GET /payins/{idPayin}',
  'POST /payouts/{idPayout}',
  'GET /payouts/{idPayout}',
  'GET /balances',
  'GET /currencies',
  'GET /payment-operators',
  'GET /payins/{idPayin}/customer-account',
]

export interface Target {
  /** The path as sent, without the query and without the base path. */
  readonly path: string
  readonly query: string
  /** Undefined when the path exists with other methods only, or not at all. */
  readonly name: RouteName | undefined
  /** The methods that the path has; empty for a path that does not exist. */
  readonly allowed: readonly string[]
  /** The payment's id, decoded; null when its percent-encoding is broken. */
  readonly id: string | null | undefined
}

type Methods = Readonly<Partial<Record<string, RouteName>>>

/** The method of each path without an id. */
const fixedPaths = new Map(
  routeNames
    .filter((name) => !name.includes('{'))
    .map((name): [string, Methods] => {
      const [method = '', path = ''] = name.split(' ')
      return [path, { [method]: name }]
    }),
)
const payin: Methods = { GET: 'GET /payins/{idPayin}', POST: 'POST /payins/{idPayin}' }
const payout: Methods = { GET: 'GET /payouts/{idPayout}', POST: 'POST /payouts/{idPayout}' }
const customerAccount: Methods = { GET: 'GET /payins/{idPayin}/customer-account' }
const nothing: Methods = {}

/** The path is matched as it was sent: an id that is percent-encoded can't lead to another endpoint. */
export function createRouter(
  basePath: string,
  customerAccountPath: string | undefined,
): (method: string, path: string) => Target {
  const [before, after = ''] = customerAccountPath?.split('{idPayin}') ?? []

  const find = (path: string): { methods: Methods; segment?: string } => {
    const fixed = fixedPaths.get(path)
    if (fixed !== undefined) return { methods: fixed }
    const account = before === undefined ? undefined : between(path, before, after)
    if (account !== undefined) return { methods: customerAccount, segment: account }
    const idPayin = between(path, '/payins/', '')
    if (idPayin !== undefined) return { methods: payin, segment: idPayin }
    const idPayout = between(path, '/payouts/', '')
    if (idPayout !== undefined) return { methods: payout, segment: idPayout }
    return { methods: nothing }
  }

  return (method, sent) => {
    const { path: full, query } = split(sent)
    const path = full.startsWith(basePath) ? full.slice(basePath.length) : ''
    const { methods, segment } = find(path)
    return {
      path,
      query,
      name: Object.hasOwn(methods, method) ? methods[method] : undefined,
      allowed: Object.keys(methods),
      id: segment === undefined ? undefined : (decoded(segment) ?? null),
    }
  }
}

function split(sent: string): { path: string; query: string } {
  // Clients of a proxy send the absolute URL; only its path is used.
  const local = sent.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

function between(path: string, before: string, after: string): string | undefined {
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined
  const segment = path.slice(before.length, path.length - after.length)
  // A leading `!` marks a custom method of the collection, and this one is not known.
  return segment === '' || segment.includes('/') || segment.startsWith('!') ? undefined : segment
}
