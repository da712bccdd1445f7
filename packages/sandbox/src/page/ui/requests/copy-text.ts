import { decoded, visible } from '../../../common/text.js'

/** A request as it can be copied: what the page shows of it, so secrets are masked. */
export interface Copied {
  readonly method: string
  /** As sent, with the base path. */
  readonly path: string
  /** JSON, or a sentence why it is not shown. */
  readonly body: string | null
}

export interface CopyPlace {
  readonly baseUrl: string
  readonly basePath: string
  readonly merchantCode: string
  readonly timestampUnit: 'seconds' | 'milliseconds'
}

type Body = Readonly<Record<string, unknown>>

export const masked = 'Secrets are masked here: put yours in.'

export function hasMasks({ body }: Copied): boolean {
  return body?.includes('[redacted]') === true
}

/** The request by a client of the environment. */
export function asCode(request: Copied, { baseUrl, basePath, merchantCode }: CopyPlace): string {
  return [
    "import { GatewayClient } from 'merchant-gateway'",
    '',
    '// The private key comes from GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE.',
    'const client = GatewayClient.fromEnv({',
    `  baseUrl: ${literal(baseUrl)},`,
    `  merchantCode: ${literal(merchantCode)},`,
    '})',
    ...(hasMasks(request) ? [`// ${masked}`] : []),
    `const response = await client.${callOf(request, basePath)}`,
    'console.log(response)',
    'await client.close()',
  ].join('\n')
}

const plainCalls: Readonly<Record<string, string>> = {
  'GET /merchant-info': 'merchantInfo.retrieve()',
  'GET /currencies': 'currencies.list()',
  'GET /payment-operators': 'paymentOperators.list()',
  'GET /balances': 'balances.list()',
}

/** Such as `payins.retrieve("order-1")`. */
export function callOf({ method, path: whole, body: text }: Copied, basePath: string): string {
  const path = whole.slice(basePath.length).replace(/\?.*$/s, '')
  const body = bodyOf(text) ?? {}
  const plain = plainCalls[`${method} ${path}`]
  if (plain !== undefined) return plain
  const payment = paymentAt(path)
  if (payment !== undefined) return paymentCall(method, payment, body)
  const { merchantCode: _, timestamp: __, secret: ___, ...scope } = body
  if (path === '/payins/!availablePaymentOptions') return `payins.paymentOptions(${literal(body.money)})`
  if (path === '/auth-tokens') return `authTokens.create(${literal(scope)})`
  if (path === '/auth-tokens-by-action') return `authTokens.createByAction(${literal(scope)})`
  return `request(${literal({ method, path, operations: [`${method} ${path}`] })})`
}

/** Whose path it is, without the base path and the query. */
export function paymentAt(path: string) {
  const [, resource, encoded = ''] = /^\/(payins|payouts)\/([^/!]+)$/.exec(path) ?? []
  return resource === undefined ? undefined : { resource, id: decoded(encoded) ?? '' }
}

function paymentCall(
  method: string,
  { resource, id }: { readonly resource: string; readonly id: string },
  body: Body,
): string {
  if (method === 'GET') return `${resource}.retrieve(${literal(id)})`
  const name = resource === 'payins' ? 'idPayin' : 'idPayout'
  return `${resource}.create(${literal({ [name]: id, ...body })})`
}

/** A value as code: names without quotes, and what an editor does not show as JSON escapes it. */
export function literal(value: unknown): string {
  const lines = (JSON.stringify(value, null, 2) ?? '{}').split('\n').map(visible)
  return lines.map((line) => line.replace(/^( *)"([A-Za-z_]\w*)":/, '$1$2:')).join('\n')
}

export function bodyOf(text: string | null): Body | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
