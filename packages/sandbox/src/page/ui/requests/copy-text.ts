import { decoded } from '../../../../../../src/client/input/decoded.js'
import { escapePattern } from '../../../../../../src/client/input/id-pattern.js'
import { jsonOf } from '../../../../../../src/client/input/json.js'
import { visibleLines } from '../../../../../../src/client/input/visible.js'

/** A request as it can be copied: what the page shows of it, so secrets are masked. */
export interface Copied {
  readonly method: string
  /** As sent, with the base path. */
  readonly path: string
  /** JSON, or a sentence why it is not shown. */
  readonly body: string | null
}

/** Where the gateway is, and whose it is. */
export interface CopyPlace {
  readonly origin: string
  readonly basePath: string
  readonly merchantCode: string
}

const masked = 'Secrets are masked here: put yours in.'

/** The request by the SDK. */
export function asCode(
  { method, path, body }: Copied,
  { origin, basePath, merchantCode }: CopyPlace,
): string {
  return [
    "import { readFileSync } from 'node:fs'",
    "import { GatewayClient } from 'merchant-gateway'",
    '',
    'const client = new GatewayClient({',
    `  baseUrl: ${JSON.stringify(origin + basePath)},`,
    `  merchantCode: ${JSON.stringify(merchantCode)},`,
    "  privateKey: readFileSync('private-key.pem', 'utf8'),",
    '})',
    ...(hasMasks(body) ? [`// ${masked}`] : []),
    `const answer = await client.${callOf(method, path.slice(basePath.length), minified(body))}`,
    'console.log(answer)',
    'await client.close()',
  ].join('\n')
}

function callOf(method: string, whole: string, body: Record<string, unknown> | undefined): string {
  const [place = '', query = ''] = whole.split('?')
  const payment = /^\/(payins|payouts)\/([^/!]+)$/.exec(place)
  const [, resource = '', encoded = ''] = payment ?? []
  if (payment !== null) {
    const id = decoded(encoded) ?? encoded
    if (method === 'GET') return `${resource}.retrieve(${literal(id)})`
    const name = resource === 'payins' ? 'idPayin' : 'idPayout'
    if (method === 'POST') return `${resource}.create(${literal({ [name]: id, ...body, [name]: id })})`
  }
  const { merchantCode: _, timestamp: __, secret: ___, ...scope } = body ?? {}
  switch (`${method} ${place}`) {
    case 'POST /payins/!availablePaymentOptions':
      return `payins.paymentOptions(${literal(body?.money ?? {})})`
    case 'POST /auth-tokens':
      return `authTokens.create(${literal(scope)})`
    case 'POST /auth-tokens-by-action':
      return `authTokens.createByAction(${literal(scope)})`
    case 'GET /merchant-info':
      return 'merchantInfo.retrieve()'
    case 'GET /currencies':
      return 'currencies.list()'
    case 'GET /payment-operators':
      return 'paymentOperators.list()'
    case 'GET /balances': {
      const currencies = new URLSearchParams(query).get('currencies')
      return currencies === null
        ? 'balances.list()'
        : `balances.list(${literal({ currencies: currencies.split(',') })})`
    }
    default:
      return `request(${literal({ method, path: place, operations: [`${method} ${escapePattern(place.replace(/\?.*$/s, ''))}`], ...(body === undefined ? {} : { body }) })})`
  }
}

function literal(value: unknown): string {
  // As a name in code, __proto__ is no field.
  return visibleLines(JSON.stringify(value, null, 2))
    .replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/^( *)__proto__:/gm, '$1["__proto__"]:')
}

function minified(body: string | null): Record<string, unknown> | undefined {
  const value = jsonOf(body ?? '')
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined
}

function hasMasks(body: string | null): boolean {
  return body !== null && /…|\[redacted\]/.test(body)
}
