import { Console } from 'node:console'
import { createPrivateKey } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { GatewayClient } from '../../src/index.js'
import type { SomeOptions } from '../support/client-options.js'
import { turns } from '../support/turns.js'
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

export const customer = {
  account: { accountName: "Canary O'Kowálski", accountNumber: 'ACC77CANARY0041' },
  emailAddress: 'bird.canary@nest.example',
}

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
      ...structuredClone(customer),
    },
    callbackUrl,
  }
}

/** Short, and without a limit that calls would wait for. */
export const limits = { retries: 0, timeoutMs: 150, deadlineMs: 600, rateLimit: false } as const

/** Every way to authenticate. */
export const credentials: readonly SomeOptions[] = [
  { privateKey: privatePem },
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
  let text = shown
  for (let time = 0; time < 3; time++) {
    text = text
      .replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#x([0-9a-f]+);|\\u([0-9a-f]{4})/gi, (_, a, b) =>
        String.fromCharCode(Number.parseInt(a ?? b, 16)),
      )
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/&([a-z])acute;|&amp;/gi, (_, letter) => letter ?? '&')
  }
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

function waysToPrint(value: unknown): Record<string, string> {
  return {
    inspect: inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    'inspect without custom functions': inspect(value, {
      depth: Number.POSITIVE_INFINITY,
      showHidden: true,
      customInspect: false,
    }),
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

/** Collects what goes to the process and to the channels of the library while `run` runs. */
export async function overheard(run: () => Promise<void>): Promise<unknown[]> {
  const heard: unknown[] = []
  const onWarning = (warning: Error) => heard.push(warning)
  const onMessage = (message: unknown) => heard.push(message)
  const traces = ['call', 'attempt'].flatMap((trace) =>
    ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map(
      (name) => `tracing:merchant-gateway:${trace}:${name}`,
    ),
  )
  const others = ['drift', 'token', 'rate-limit'].map((name) => `merchant-gateway:${name}`)
  const channels = [...traces, ...others].map((name) => channel(name))
  process.on('warning', onWarning)
  for (const one of channels) one.subscribe(onMessage)
  try {
    await run()
    await turns()
  } finally {
    process.off('warning', onWarning)
    for (const one of channels) one.unsubscribe(onMessage)
  }
  return heard
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
const spelledBy = (spell: (code: number) => string) => (text: string) =>
  Array.from({ length: text.length }, (_, at) => spell(text.charCodeAt(at))).join('')
const escaped = spelledBy((code) => `\\u${code.toString(16).padStart(4, '0')}`)

const html = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}): Reply => {
  return (response) => {
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(body)
  }
}

const page = 'text/html'
const data = 'application/json'
const oneLine = (text: string) => text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 4000)

type Echo = (status: number, request: Seen) => Reply

/** The ways in which servers and proxies tell a client what it has sent. */
export const echoes: Readonly<Record<string, Echo>> = {
  'a message in JSON': (status, request) =>
    answer(status, data, JSON.stringify({ code: 'BAD', message: `refused: ${quote(request)}` })),
  'an error object in JSON': (status, request) =>
    answer(status, data, JSON.stringify({ error: { code: quote(request), detail: request.body } })),
  'the request itself as JSON': (status, request) => answer(status, data, request.body || '{}'),
  'unknown fields': (status, request) =>
    answer(status, data, JSON.stringify({ [quote(request)]: quote(request) })),
  'a page': (status, request) => answer(status, page, `<pre>${quote(request)}</pre>`),
  'a page with its characters escaped': (status, request) =>
    answer(status, page, `<pre>${html(quote(request))}</pre>`),
  'a page in capitals': (status, request) => answer(status, page, quote(request).toUpperCase()),
  'a page that encodes it': (status, request) => answer(status, page, encodeURIComponent(quote(request))),
  'a page that begins with the token': (status, request) =>
    answer(status, page, `${request.headers.authorization ?? ''} ${request.body}`),
  'a page that is empty for a long time': (status, request) =>
    answer(status, page, `${' '.repeat(3_990)}${request.body.slice(request.body.indexOf('Canary'))}`),
  'a page that is empty for a very long time': (status, request) =>
    answer(status, page, `${' '.repeat(19_990)}${request.body.slice(request.body.indexOf('Canary'))}`),
  'half of a JSON text': (status, request) =>
    answer(status, data, `{"error": ${JSON.stringify(quote(request))}`),
  headers: (status, request) =>
    answer(status, oneLine(quote(request)), '{', {
      'x-request-id': oneLine(`${request.headers.authorization} ${request.body}`),
      'x-correlation-id': oneLine(request.body),
      traceparent: oneLine(quote(request)),
      'retry-after': oneLine(request.body),
      date: oneLine(request.body),
      location: `/${encodeURIComponent(quote(request)).slice(0, 2000)}`,
      'x-echo': oneLine(quote(request)),
    }),
  'the reason phrase': (status, request) => (response) => {
    response.writeHead(status, oneLine(quote(request)), { 'content-type': page })
    response.end(request.body)
  },
}

/** The ways in which they spell it. */
export const spellings: Readonly<Record<string, Echo>> = {
  'a page in NFD': (status, request) => answer(status, page, essence(request).normalize('NFD')),
  'a page of escapes': (status, request) => answer(status, page, escaped(essence(request))),
  'a page that encodes it twice': (status, request) =>
    answer(status, page, encodeURIComponent(encodeURIComponent(essence(request)))),
  'the family name alone': (status, request) =>
    answer(
      status,
      data,
      JSON.stringify({ message: /kow.lski/i.exec(request.body)?.[0].toUpperCase() ?? '' }),
    ),
  'the end of the callback URL': (status, request) =>
    answer(status, data, JSON.stringify({ message: /[^/]*canaryMAC\w+/.exec(request.body)?.[0] ?? '' })),
  'the MAC of the callback URL': (status, request) =>
    answer(status, data, JSON.stringify({ message: /canaryMAC\w+/.exec(request.body)?.[0] ?? '' })),
  'the signature': (status, request) =>
    answer(status, data, JSON.stringify({ message: `${request.headers['x-signature']}` })),
  'a list of errors in JSON': (status, request) =>
    answer(
      status,
      data,
      JSON.stringify({ errors: [{ code: 'BAD', detail: essence(request) }, essence(request)] }),
    ),
  'errors by field in JSON': (status, request) =>
    answer(status, data, JSON.stringify({ errors: { details: [essence(request)] } })),
}
