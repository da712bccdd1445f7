import { jsonOf } from '../../../../../src/client/input/json-of.js'
import { visibleLines } from '../../../../../src/client/input/visible.js'

/** A request as it can be copied: what the page shows of it, so customers and secrets are masked. */
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

const headers = ["-H 'Accept: application/json'", "-H 'X-API-Version: 2'"]
const jsonHeader = "-H 'Content-Type: application/json'"
const masked = 'Names, numbers and addresses of customers are masked here: put yours in.'

/** The request by curl and openssl, with the commands that make its token in front of it. */
export function asCurl(
  { method, path, body }: Copied,
  { origin, basePath, merchantCode }: CopyPlace,
): string {
  const place = path.slice(basePath.length)
  const json = minified(body)
  if (isTokenRequest(place)) {
    const { timestamp: _, secret: __, ...fields } = json ?? {}
    return [
      '# private-key.pem is your private key.',
      ...signed(fields),
      send(method, origin + path, ['-H "X-SIGNATURE: $SIGNATURE"'], '"$BODY"'),
    ].join('\n')
  }
  const operation = `${method} ${escapePattern(place)}`
  const minting = { merchantCode, operations: [operation], validitySecs: 300 }
  const content = json === undefined ? undefined : quoted(visibleLines(JSON.stringify(json)))
  return [
    '# A token that allows this one request; private-key.pem is your private key.',
    ...signed(minting),
    `TOKEN=$(${send('POST', `${origin}${basePath}/auth-tokens`, ['-H "X-SIGNATURE: $SIGNATURE"'], '"$BODY"', '-s')} | grep -o 'eyJ[A-Za-z0-9_.-]*')`,
    '',
    ...(hasMasks(body) ? [`# ${masked}`] : []),
    send(method, origin + path, ['-H "Authorization: Bearer $TOKEN"'], content),
  ].join('\n')
}

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
    const id = decoded(encoded)
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
      return `request(${literal({ method, path: place, operations: [`${method} ${escapePattern(place)}`], ...(body === undefined ? {} : { body }) })})`
  }
}

/** The body with the time of now in it, and its signature. */
function signed(fields: Record<string, unknown>): string[] {
  const open = visibleLines(JSON.stringify(fields)).slice(0, -1)
  const comma = open === '{' ? '' : ','
  return [
    `BODY=${quoted(`${open}${comma}"timestamp":`)}$(date +%s)'}'`,
    'SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -sign private-key.pem | openssl base64 -A)',
  ]
}

function send(method: string, url: string, more: readonly string[], body?: string, how = '-i'): string {
  const all = [
    ...headers,
    ...(body === undefined ? [] : [jsonHeader]),
    ...more,
    ...(body === undefined ? [] : [`--data-binary ${body}`]),
  ]
  return `curl ${how} -X ${word(method)} ${quoted(ascii(url))} \\\n  ${[...asItIs(url), ...all].join(' \\\n  ')}`
}

function isTokenRequest(place: string): boolean {
  return /^\/auth-tokens(-by-action)?$/.test(place)
}

/** curl gives a meaning to brackets and braces, and takes dots out of a path. */
function asItIs(url: string): string[] {
  return [
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?#]|$)/.test(url) ? ['--path-as-is'] : []),
  ]
}

/** A method may be of characters that mean something to a shell. */
function word(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : quoted(text)
}

/** What is no ASCII came as bytes, one character each. */
function ascii(url: string): string {
  return url.replace(/[\u007f-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
}

/** In single quotes, as every shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
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

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function escapePattern(path: string): string {
  return path.replace(/\?.*$/s, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
