import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.js'

/** What OpenSSL signed, and when: the sandbox's clock has to stand there. */
export const SIGNED_AT = 1_700_000_000_000

export const publicPem = vector('rsa2048.public.pem')
export const privatePem = vector('rsa2048.pkcs8.pem')

export interface Vector {
  readonly name: string
  readonly body: Record<string, unknown> & { readonly merchantCode: string }
  readonly minified: string
  readonly signature: string
}

export const vectors: readonly Vector[] = JSON.parse(vector('signatures.json'))

function vector(name: string): string {
  return readFileSync(new URL(`../../../test/vectors/${name}`, import.meta.url), 'utf8')
}

export const ORIGIN = 'https://gateway.example'
export const JSON_HEADERS = { accept: 'application/json', 'x-api-version': '2' }
export const BODY_HEADERS = { ...JSON_HEADERS, 'content-type': 'application/json' }

/** A sandbox that knows the merchant of the vectors, whose time stands still and who counts nothing. */
export function stillSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandbox({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    clock: 'virtual',
    startAt: SIGNED_AT,
    rateLimit: false,
    ...options,
  })
}

export function signatureOf(body: string | Uint8Array): string {
  return sign('RSA-SHA256', Buffer.from(body), privatePem).toString('base64')
}

/** A token request written by hand, with what has to be signed. */
export function tokenRequest(
  sandbox: Sandbox,
  fields: Record<string, unknown>,
): RequestInit & { body: string } {
  const timestamp = Math.floor(sandbox.clock.now() / 1000)
  const body = JSON.stringify({ merchantCode: 'M-0001', ...fields, timestamp })
  return { method: 'POST', headers: { ...BODY_HEADERS, 'x-signature': signatureOf(body) }, body }
}

/** A token for operations, or for an action when the fields name one. */
export async function mint(sandbox: Sandbox, fields: Record<string, unknown>): Promise<string> {
  const path = 'action' in fields ? '/auth-tokens-by-action' : '/auth-tokens'
  const response = await sandbox.fetch(ORIGIN + path, tokenRequest(sandbox, fields))
  const answer: unknown = await response.json()
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'token' in answer &&
    typeof answer.token === 'string'
  ) {
    return answer.token
  }
  throw new Error(`No token: ${response.status} ${JSON.stringify(answer)}`)
}

/** A token for everything. */
export function masterToken(sandbox: Sandbox): Promise<string> {
  return mint(sandbox, { operations: ['GET /.*', 'POST /.*'], validitySecs: 1_000_000 })
}

export function bearer(token: string): Record<string, string> {
  return { ...JSON_HEADERS, authorization: `Bearer ${token}` }
}

export interface Shape {
  readonly amount?: number
  readonly currencyCode?: string
  readonly callbackUrl?: string
}

export function paymentBody({ amount = 100, currencyCode = 'EUR', callbackUrl }: Shape = {}): string {
  return JSON.stringify({
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      account: { accountName: 'Jana Nováková', accountNumber: '000123-0123456789' },
      paymentMethodCode: 'VAPAY',
      paymentOperatorCode: 'HARBOUR',
      emailAddress: 'jana@example.com',
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    returnUrl: 'https://shop.example/back',
  })
}

export function create(token: string, body = paymentBody()): RequestInit {
  return { method: 'POST', headers: { ...bearer(token), 'content-type': 'application/json' }, body }
}

/** A sandbox that stands still, with a token for everything and who asks with it. */
export async function asking(options: Parameters<typeof stillSandbox>[0] = {}) {
  const sandbox = stillSandbox(options)
  const token = await masterToken(sandbox)
  return {
    sandbox,
    token,
    get: (path: string, more: Record<string, string> = {}) =>
      sandbox.fetch(ORIGIN + path, { headers: { ...bearer(token), ...more } }),
    /** A payment is created by it, unless the body says something else. */
    post: (path: string, body?: string, more: Record<string, string> = {}) => {
      const init = create(token, body)
      return sandbox.fetch(ORIGIN + path, { ...init, headers: { ...init.headers, ...more } })
    },
  }
}

/** The status and the JSON of a response. */
export async function outcome(response: Promise<Response>): Promise<{ status: number; json: unknown }> {
  const answer = await response
  return { status: answer.status, json: await answer.json() }
}

/** The code of an error body. */
export async function codeOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json()
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

/** The status and the code of a response. */
export async function refusal(response: Promise<Response>): Promise<[status: number, code: unknown]> {
  const answer = await response
  return [answer.status, await codeOf(answer)]
}

/** Writes bytes to a socket and gives back everything that comes until the other side ends. */
export function raw(port: number, text: string): Promise<{ text: string; error: string | undefined }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let error: string | undefined
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code
    })
    socket.on('close', () => resolve({ text: Buffer.concat(chunks).toString('utf8'), error }))
  })
}

/** A request as it stands on the wire; the connection ends after it. */
export function rawRequest(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const all = {
    host: 'gateway.example',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}
