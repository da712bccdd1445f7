import { decoded } from '../../common/text.js'
import { type RouteName, routeNames, type Target } from '../wire/routes.js'

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
