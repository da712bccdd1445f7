import { decoded, escapePattern, visible } from '../../../common/text.js'

/** A request as it can be copied: what the page shows of it, so secrets are masked. */
export interface Copied {
  readonly method: string
  /** As sent, with the base path. */
  readonly path: string
  /** JSON, or a sentence why it is not shown. */
  readonly body: string | null
}

interface CopyPlace {
  readonly baseUrl: string
  readonly basePath: string
  readonly merchantCode: string
  readonly timestampUnit: 'seconds' | 'milliseconds'
}

type Body = Readonly<Record<string, unknown>>

export const masked = 'Secrets are masked here: put yours in.'

function hasMasks({ body }: Copied): boolean {
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
function callOf({ method, path: whole, body: text }: Copied, basePath: string): string {
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
function paymentAt(path: string) {
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

const VALIDITY_SECS = 60
const headers = ["-H 'Accept: application/json'", "-H 'X-API-Version: 2'"]
const jsonHeader = "-H 'Content-Type: application/json'"
const keyNote = '# GATEWAY_PRIVATE_KEY_FILE is the file of the private key.'

/** The request by curl and openssl, after the commands that make its token. */
export function asCurl(request: Copied, { baseUrl, basePath, ...place }: CopyPlace): string {
  const { method, path, body: text } = request
  const url = baseUrl + path.slice(basePath.length)
  const [endpoint = ''] = path.slice(basePath.length).split('?')
  const body = bodyOf(text)
  if (/^\/auth-tokens(?:-by-action)?$/.test(endpoint)) {
    const { timestamp: _, secret: __, ...fields } = body ?? {}
    return [
      keyNote,
      ...signed(fields, place),
      send(method, url, '-i', '-H "X-SIGNATURE: $SIGNATURE"', '"$BODY"'),
    ].join('\n')
  }
  const { merchantCode } = place
  const operations = [`${method} ${escapePattern(endpoint)}`]
  const token = send('POST', `${baseUrl}/auth-tokens`, '-s', '-H "X-SIGNATURE: $SIGNATURE"', '"$BODY"')
  const content = body === undefined ? undefined : quoted(visible(JSON.stringify(body)))
  return [
    keyNote,
    ...signed({ merchantCode, operations, validitySecs: VALIDITY_SECS }, place),
    `TOKEN=$(${token} | grep -o 'eyJ[A-Za-z0-9_.-]*')`,
    ...(hasMasks(request) ? [`# ${masked}`] : []),
    send(method, url, '-i', '-H "Authorization: Bearer $TOKEN"', content),
  ].join('\n')
}

/** The body with the time of now in it, and its signature. */
function signed(fields: object, { timestampUnit }: Pick<CopyPlace, 'timestampUnit'>): string[] {
  const open = visible(JSON.stringify({ ...fields, timestamp: 0 })).replace(/0\}$/, '')
  const now = timestampUnit === 'seconds' ? '$(date +%s)' : '$(date +%s)000'
  return [
    `BODY=${quoted(open)}${now}'}'`,
    'SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -sign "$GATEWAY_PRIVATE_KEY_FILE" | openssl base64 -A)',
  ]
}

function send(method: string, url: string, how: string, header: string, content?: string): string {
  const body = content === undefined ? [] : [jsonHeader, `--data-binary ${content}`]
  // curl gives a meaning to brackets and braces, and takes dots out of a path.
  const asItIs = /[[\]{}]|\/\.{1,2}(?:[/?#]|$)/.test(url) ? ['--globoff --path-as-is'] : []
  return `curl ${how} -X ${quoted(method)} ${quoted(url)} \\\n  ${[...asItIs, ...headers, header, ...body].join(' \\\n  ')}`
}

/** In single quotes, as every shell takes it. */
function quoted(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** What a request met, as far as the page knows it. */
export interface CopiedFault {
  readonly kind: string
  readonly route: string
  /** Whether it was added with parameters, which a request does not show. */
  readonly hasParameters: boolean
}

/** The request as a test that runs as it is, with a sandbox of its own. */
export function asTest(request: Copied, basePath: string, fault: CopiedFault | null): string {
  const { method, path } = request
  const [endpoint = ''] = path.slice(basePath.length).split('?')
  const { gateway = '', sandbox = '', vitest = 'expect, test', steps } = checkOf(request, endpoint, basePath)
  const lines = [
    "const sandbox = createSandbox({ clock: 'virtual' })",
    'const client = new GatewayClient(sandbox.clientOptions())',
    ...(fault === null ? [] : [faultLine(fault)]),
    ...(hasMasks(request) ? [`// ${masked}`] : []),
    ...steps,
    'await client.close()',
    'await sandbox.close()',
  ]
  return [
    `import { GatewayClient${gateway} } from 'merchant-gateway'`,
    `import { createSandbox${sandbox} } from 'merchant-gateway-sandbox'`,
    `import { ${vitest} } from 'vitest'`,
    '',
    `test(${literal(`${method} ${endpoint}`)}, async () => {`,
    ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`),
    '})',
    '',
  ].join('\n')
}

interface Check {
  /** What is imported beside what every test needs. */
  readonly gateway?: string
  readonly sandbox?: string
  readonly vitest?: string
  readonly steps: readonly string[]
}

function checkOf(request: Copied, endpoint: string, basePath: string): Check {
  const call = `client.${callOf(request, basePath)}`
  const payment = paymentAt(endpoint)
  if (payment === undefined) return { steps: [`expect(await ${call}).toBeDefined()`] }
  const { resource, id } = payment
  if (request.method === 'POST') {
    const steps = [`await ${call}`, `expectExactlyOnce(sandbox, ${literal(id)})`]
    return { sandbox: ', expectExactlyOnce', vitest: 'test', steps }
  }
  const [name, method] = resource === 'payins' ? ['idPayin', 'VAPAY'] : ['idPayout', 'BANK_TRANSFER']
  const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' }
  const order = {
    [name]: id,
    paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: method, paymentOperatorCode: 'HARBOUR', account },
  }
  const steps = [
    `await client.${resource}.create(${literal(order)})`,
    'await sandbox.clock.advance(60_000)',
    `expect(statusOf(await ${call})).toBe('SUCCESS')`,
  ]
  return { gateway: ', statusOf', steps }
}

function faultLine({ kind, route, hasParameters }: CopiedFault): string {
  return hasParameters
    ? `// It met the fault ${kind}: add it by sandbox.fault, with its parameters.`
    : `sandbox.fault({ route: ${literal(route)}, action: { kind: ${literal(kind)} } })`
}
