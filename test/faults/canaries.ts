import { Console } from 'node:console'
import { createPrivateKey } from 'node:crypto'
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { GatewayClient } from '../../src/index.js'
import type { SomeOptions } from '../support/client-options.js'
import { privatePem } from '../support/vectors.js'
import { anyToken, type Reply, type Seen } from './servers.js'

/** Every secret has one of these words in it, so that one look finds any of them. */
const words = /canary|kowalski/i

export const passphrase = 'canary-passphrase'
export const encryptedPem = createPrivateKey(privatePem)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString()
export const merchantSecret = 'canary-merchant-secret'
export const jwt = `${anyToken.split('.').slice(0, 2).join('.')}.CanarySignature`
/** A token of a gateway that does not make JWTs. */
export const opaqueToken = 'opaque/canary+token='

/** As a receiver of callbacks makes it: the last part of it is a MAC. */
export const callbackUrl =
  'https://shop.example/hooks/1.k3yk3yk3.payin.b3JkZXItMQ.canaryMAC0canaryMAC1canaryMAC2canaryMAC3cana'

/** Signs with bytes that are a word in base64. */
export const canarySigner = {
  sign: () => Promise.resolve(Buffer.from('canarySignature+canary/Signature', 'base64')),
}

export function canaryRequest() {
  return {
    paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: "Canary O'Kowálski", accountNumber: 'ACC77CANARY0041' },
      emailAddress: 'bird.canary@nest.example',
    },
    callbackUrl,
  }
}

/** Every way to authenticate. */
export const credentials: readonly SomeOptions[] = [
  { signer: canarySigner },
  { privateKey: encryptedPem, privateKeyPassphrase: passphrase },
  { signer: undefined, merchantSecret },
]

/** Every call that can fail, with the customer's data in it where it takes some. */
export function canaryCalls(client: GatewayClient): Promise<unknown>[] {
  return [
    client.payins.create({ idPayin: 'order-1', ...canaryRequest() }),
    client.payouts.retrieve('order-1'),
    client.request({ method: 'POST', path: '/x', operations: ['POST /x'], body: canaryRequest() }),
    client.authTokens.create({ operations: ['GET /x'] }),
  ]
}

const keyLines = [privatePem, encryptedPem]
  .flatMap((pem) => pem.split('\n'))
  // The last line of a key that is encrypted anew in every run may be a few characters that stand anywhere.
  .filter((line) => line.length > 20 && !line.startsWith('-----'))

/** @throws when a secret can be seen in what a value prints, whichever way it is printed. */
export function expectSilence(value: unknown): void {
  for (const [way, shown] of Object.entries(waysToPrint(value))) {
    expect(plain(shown), `printed by ${way}`).not.toMatch(words)
    const keyLine = keyLines.find((line) => shown.includes(line))
    expect(keyLine, `a line of the key, printed by ${way}`).toBeUndefined()
  }
}

/** What somebody reads who looks at it for a while. */
function plain(shown: string): string {
  const character = (code: string, base = 16) => String.fromCharCode(Number.parseInt(code, base))
  let text = shown
  for (let time = 0; time < 3; time++) {
    text = text
      .replace(/%([0-7][0-9a-f])/gi, (_, hex) => character(hex))
      .replace(/&#x([0-9a-f]+);|\\u([0-9a-f]{4})/gi, (_, a, b) => character(a ?? b))
      .replace(/&#(\d+);/g, (_, code) => character(code, 10))
  }
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

function waysToPrint(value: unknown): Record<string, string> {
  const all = { depth: Number.POSITIVE_INFINITY, showHidden: true }
  return {
    inspect: inspect(value, all),
    'inspect without custom functions': inspect(value, { ...all, customInspect: false }),
    'console.log': logged(value),
    'JSON.stringify': JSON.stringify(value) ?? '',
    String: String(value),
    'every property': [...texts(value, new Set())].join('\n'),
  }
}

function logged(value: unknown): string {
  let said = ''
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk)
      done()
    },
  })
  new Console({ stdout, stderr: stdout }).log('%s %o', value, value, value)
  return said
}

/** All texts below a value: own properties, hidden ones included, but not what only a getter gives. */
function* texts(value: unknown, seen: Set<unknown>): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    yield String(key)
    yield* texts(Object.getOwnPropertyDescriptor(value, key)?.value, seen)
  }
}

/** Everything that a request carried, as servers quote it. */
export function quote({ method, path, headers, body }: Seen): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path}`, ...lines, '', body].join('\n')
}

/** What customers and keys are in it, without what stands around it. */
const essence = ({ headers, body }: Seen) =>
  [body.slice(Math.max(0, body.indexOf('"account"'))), headers['x-signature'], headers.authorization]
    .filter((text) => text !== undefined)
    .join(' ')
const partOf = ({ body }: Seen, part: RegExp) => part.exec(body)?.[0] ?? ''
const spelled = (text: string, spell: (code: number) => string) =>
  Array.from({ length: text.length }, (_, at) => spell(text.charCodeAt(at))).join('')
const oneLine = (text: string) => text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 4000)

interface Said {
  readonly body: string
  readonly headers?: Record<string, string>
  readonly reason?: string
}

/** What servers and proxies answer that tell a client what it has sent; a value that is no text is sent as JSON. */
const echoed: Readonly<Record<string, (request: Seen) => string | object>> = {
  'a message': (request) => ({ code: 'BAD', message: `refused: ${quote(request)}` }),
  'the request itself': ({ body }) => body || '{}',
  'unknown fields': (request) => ({ [quote(request)]: quote(request) }),
  'a list of errors': (request) => ({ errors: [{ detail: essence(request) }, essence(request)] }),
  'the family name alone': (request) => ({ message: partOf(request, /kow.lski/i).toUpperCase() }),
  'the end of the callback URL': (request) => ({ message: partOf(request, /[^/]*canaryMAC\w+/) }),
  'the MAC of the callback URL': (request) => ({ message: partOf(request, /canaryMAC\w+/) }),
  'the signature': ({ headers }) => ({ message: `${headers['x-signature']}` }),
  'a page': (request) => `<pre>${quote(request)}</pre>`,
  'a page with its characters escaped': (request) =>
    quote(request).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  'a page in capitals': (request) => quote(request).toUpperCase(),
  'a page in NFD': (request) => essence(request).normalize('NFD'),
  'a page of escapes': (request) =>
    spelled(essence(request), (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'a page that encodes it': (request) => encodeURIComponent(quote(request)),
  'a page that encodes it twice': (request) => encodeURIComponent(encodeURIComponent(essence(request))),
  'a page that is empty for a long time': ({ body }) =>
    `${' '.repeat(3_990)}${body.slice(body.indexOf('Canary'))}`,
  'a page that is empty for a very long time': ({ body }) =>
    `${' '.repeat(19_990)}${body.slice(body.indexOf('Canary'))}`,
  'half of a JSON text': (request) => `{"error": ${JSON.stringify(quote(request))}`,
}

const beside: Readonly<Record<string, (request: Seen) => Said>> = {
  headers: (request) => ({
    body: '{',
    reason: oneLine(quote(request)),
    headers: {
      'x-request-id': oneLine(`${request.headers.authorization} ${request.body}`),
      'x-correlation-id': oneLine(request.body),
      traceparent: oneLine(quote(request)),
      'retry-after': oneLine(request.body),
      date: oneLine(request.body),
      location: `/${encodeURIComponent(quote(request)).slice(0, 2000)}`,
    },
  }),
}

export const echoes = [
  ...Object.entries(echoed).map(([name, echo]): [string, (request: Seen) => Said] => [
    name,
    (request) => {
      const said = echo(request)
      return { body: typeof said === 'string' ? said : JSON.stringify(said) }
    },
  ]),
  ...Object.entries(beside),
]

/** Answers with an echo. */
export const echoing =
  (status: number, echo: (request: Seen) => Said): Reply =>
  (response, request) => {
    const { body, headers = {}, reason = '' } = echo(request)
    response.writeHead(status, reason, { 'content-type': 'text/html', ...headers })
    response.end(body)
  }
