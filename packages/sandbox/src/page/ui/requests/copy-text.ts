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
  readonly origin: string
  readonly basePath: string
  readonly merchantCode: string
}

type Body = Readonly<Record<string, unknown>>

export function asCode(
  { method, path, body }: Copied,
  { origin, basePath, merchantCode }: CopyPlace,
): string {
  const hasMasks = body?.includes('[redacted]') === true
  const call = callOf(method, path.slice(basePath.length), bodyOf(body))
  return [
    "import { GatewayClient } from 'merchant-gateway'",
    '',
    '// The private key comes from GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE.',
    'const client = GatewayClient.fromEnv({',
    `  baseUrl: ${literal(origin + basePath)},`,
    `  merchantCode: ${literal(merchantCode)},`,
    '})',
    ...(hasMasks ? ['// Secrets are masked here: put yours in.'] : []),
    `const response = await client.${call}`,
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

function callOf(method: string, whole: string, body: Body = {}): string {
  const [path = ''] = whole.split('?')
  const plain = plainCalls[`${method} ${path}`]
  if (plain !== undefined) return plain
  const [, resource, encoded = ''] = /^\/(payins|payouts)\/([^/!]+)$/.exec(path) ?? []
  if (resource !== undefined) return paymentCall(method, resource, decoded(encoded) ?? '', body)
  const { merchantCode: _, timestamp: __, secret: ___, ...scope } = body
  if (path === '/payins/!availablePaymentOptions') return `payins.paymentOptions(${literal(body.money)})`
  if (path === '/auth-tokens') return `authTokens.create(${literal(scope)})`
  if (path === '/auth-tokens-by-action') return `authTokens.createByAction(${literal(scope)})`
  return `request(${literal({ method, path, operations: [`${method} ${path}`] })})`
}

function paymentCall(method: string, resource: string, id: string, body: Body): string {
  if (method === 'GET') return `${resource}.retrieve(${literal(id)})`
  const name = resource === 'payins' ? 'idPayin' : 'idPayout'
  return `${resource}.create(${literal({ [name]: id, ...body })})`
}

/** A value as code: names without quotes, and what an editor does not show as JSON escapes it. */
function literal(value: unknown): string {
  const lines = (JSON.stringify(value, null, 2) ?? '{}').split('\n').map(visible)
  return lines.map((line) => line.replace(/^( *)"([A-Za-z_]\w*)":/, '$1$2:')).join('\n')
}

function bodyOf(text: string | null): Body | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
