import { createVerify, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { RefusalCase } from '../../../src/client/profile/gateway-profile.js'
import { listen } from '../../support/listening.js'
import { publicPem } from '../../support/vectors.js'

/** What a gateway answers with. */
export interface HandAnswer {
  readonly status: number
  /** Goes out as it is where it is a text, and as JSON otherwise. */
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface HandPayment {
  readonly kind: 'payin' | 'payout'
  readonly id: string
  readonly request: { readonly [field: string]: unknown; readonly callbackUrl?: string }
  readonly money: unknown
  readonly createdAt: string
  step: number
  processedAt?: string
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Ends a request with the answer to what is wrong with it. */
class Refused extends Error {
  readonly which: RefusalCase

  constructor(which: RefusalCase) {
    super(which)
    this.which = which
  }
}

const statuses: Readonly<Record<RefusalCase, number>> = {
  'api-version-missing': 404,
  'path-unknown': 404,
  'signature-wrong': 401,
  'validity-too-long': 400,
  'token-missing': 401,
  'token-wrong': 401,
  'token-not-allowed': 403,
  'body-not-json': 400,
  'money-missing': 400,
  'amount-wrong': 400,
  'payin-unknown': 404,
  'payout-unknown': 404,
  'id-repeated': 409,
  'rate-exceeded': 429,
}

/**
 * A gateway that is written by hand, by the specification and nothing else: each of those beside it says by methods
 * of its own what the specification leaves open. Payments go one step on with every look-up.
 */
export class HandGateway {
  basePath = ''
  /** Whether its limiter, if it has one, is asked. */
  isCounting = true
  unit: 'seconds' | 'milliseconds' = 'seconds'
  longestSecs = Number.MAX_SAFE_INTEGER
  refusesReplays = false
  steps: readonly string[] = ['CREATED', 'PENDING', 'SUCCESS']
  customerAccountPath: string | undefined = '/payins/{idPayin}/customer-account'
  callbackTries = 2
  /** Otherwise a callback tells of a payment's end alone. */
  tellsOfEachChange = false
  readonly requests: Asked[] = []
  readonly payments = new Map<string, HandPayment>()
  readonly #tokens = new Map<string, readonly string[]>()
  /** What a token's `money` is, as JSON. */
  readonly #limits = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #server: Server = createServer((request, response) => {
    this.serve(request, response).catch(() => response.destroy())
  })
  readonly #callbacks = new Set<Promise<void>>()
  #closed = false

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server)}${this.basePath}`
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#server.closeAllConnections()
    this.#server.close()
    await Promise.all(this.#callbacks)
  }

  /** May be written in another way altogether. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    const [target = '', query = ''] = (request.url ?? '').split('?')
    const { method = '', headers } = request
    const asked = { method, path: target, query, headers, body: Buffer.concat(parts).toString('utf8') }
    this.requests.push(asked)
    let answer: HandAnswer
    try {
      answer = this.answer(asked)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      answer = this.refusal(error.which, statuses[error.which])
    }
    this.send(response, answer)
  }

  send(response: ServerResponse, { status, body, type = 'application/json', headers }: HandAnswer): void {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { ...(text === '' ? {} : { 'content-type': type }), ...headers })
    response.end(text)
  }

  // What the specification leaves open.

  tokenBody(token: string, _validitySecs: number): HandAnswer {
    return { status: 200, body: { token } }
  }

  makeToken(validitySecs: number): string {
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
    const iat = Math.floor(Date.now() / 1000)
    const claims = { jti: randomUUID(), iat, exp: iat + validitySecs }
    return `${part({ alg: 'HS256' })}.${part(claims)}.${randomUUID().replaceAll('-', '')}`
  }

  refusal(which: RefusalCase, status: number): HandAnswer {
    return { status, body: { code: which.toUpperCase(), message: `refused: ${which}` } }
  }

  created(payment: HandPayment): HandAnswer {
    const { kind, id, money } = payment
    const method =
      kind === 'payin'
        ? { idPayin: id, paymentMethodCode: 'VAPAY', money, expireAt: payment.createdAt, reference: 'R-1' }
        : { idPayout: id, paymentMethodCode: 'BANK_TRANSFER' }
    return { status: 200, body: { paymentRequested: { money }, paymentMethodResponse: method } }
  }

  found(payment: HandPayment, status: string): HandAnswer {
    const { kind, id, money, createdAt, processedAt } = payment
    const ids = kind === 'payin' ? { idPayin: id } : { idPayout: id }
    const process = { status, createdAt, ...(processedAt === undefined ? {} : { processedAt }), isTest: true }
    const method = { ...ids, paymentMethodCode: kind === 'payin' ? 'VAPAY' : 'BANK_TRANSFER' }
    const fee = kind === 'payout' ? { fee: money } : {}
    return {
      status: 200,
      body: { paymentRequested: { money }, process, ...fee, paymentMethodResponse: method },
    }
  }

  customerAccount(payment: HandPayment): HandAnswer {
    return { status: 200, body: { idPayin: payment.id, account: { accountName: 'Jana Canary' } } }
  }

  account(path: string): HandAnswer {
    switch (path) {
      case '/merchant-info':
        return { status: 200, body: { channelInfo: { name: 'A shop' } } }
      case '/balances':
        return { status: 200, body: { data: [{ money: { amount: 10, currencyCode: 'EUR' } }] } }
      case '/currencies':
        return { status: 200, body: { data: [{ currencyCode: 'EUR' }] } }
      case '/payment-operators':
        return { status: 200, body: { data: [{ code: 'PIER', name: 'Pier Bank' }] } }
      default:
        throw new Refused('path-unknown')
    }
  }

  options(): HandAnswer {
    const paymentOperators = [{ code: 'PIER', name: 'Pier Bank' }]
    return { status: 200, body: { data: [{ paymentMethodCode: 'VAPAY', paymentOperators }] } }
  }

  /** Whether one more may come now. */
  takes(): boolean {
    return true
  }

  /** How a path is matched with operations. */
  matched(path: string): string {
    return path
  }

  callback(_payment: HandPayment): RequestInit {
    return { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  }

  // What it says.

  answer({ method, path: whole, headers, body }: Asked): HandAnswer {
    if (headers['x-api-version'] !== '2') throw new Refused('api-version-missing')
    if (this.isCounting && !this.takes()) throw new Refused('rate-exceeded')
    if (!whole.startsWith(this.basePath)) throw new Refused('path-unknown')
    const path = whole.slice(this.basePath.length)
    if (method === 'POST' && /^\/auth-tokens(?:-by-action)?$/.test(path))
      return this.#mint(path, headers, body)
    const limit = this.#authorise(method, path, headers.authorization)
    if (method === 'POST' && path === '/payins/!availablePaymentOptions') return this.options()
    const [, plural, segment = '', more] = /^\/(payins|payouts)\/([^/]+)(\/.*)?$/.exec(path) ?? []
    if (plural === undefined) {
      if (method !== 'GET') throw new Refused('path-unknown')
      return this.account(path)
    }
    const id = decodeURIComponent(segment)
    const kind = plural === 'payins' ? 'payin' : 'payout'
    const payment = this.payments.get(`${kind} ${id}`)
    if (more !== undefined) {
      const account = this.customerAccountPath?.replace('{idPayin}', segment)
      if (account !== path) throw new Refused('path-unknown')
      if (payment === undefined) throw new Refused('payin-unknown')
      return this.customerAccount(payment)
    }
    if (method === 'POST') return this.#create(kind, id, payment, body, limit)
    if (payment === undefined) throw new Refused(`${kind}-unknown`)
    return this.#lookUp(payment)
  }

  #mint(path: string, headers: IncomingMessage['headers'], body: string): HandAnswer {
    const signature = String(headers['x-signature'])
    if (!createVerify('RSA-SHA256').update(body).verify(publicPem, signature, 'base64')) {
      throw new Refused('signature-wrong')
    }
    const { timestamp, validitySecs, operations, idPayment, money } = JSON.parse(body)
    const ms = this.unit === 'seconds' ? timestamp * 1000 : timestamp
    if (Math.abs(ms - Date.now()) > 300_000) throw new Refused('signature-wrong')
    if (this.refusesReplays && this.#seen.has(signature)) throw new Refused('signature-wrong')
    this.#seen.add(signature)
    if (validitySecs > this.longestSecs) throw new Refused('validity-too-long')
    const token = this.makeToken(validitySecs)
    this.#tokens.set(token, path === '/auth-tokens' ? operations : [`GET /payins/${idPayment}`])
    if (money !== undefined) this.#limits.set(token, JSON.stringify(money))
    return this.tokenBody(token, validitySecs)
  }

  /** @returns the money that the token is limited to, as JSON. */
  #authorise(method: string, path: string, authorization: string | undefined): string | undefined {
    if (authorization === undefined) throw new Refused('token-missing')
    const token = authorization.replace(/^Bearer /, '')
    const operations = this.#tokens.get(token)
    if (operations === undefined) throw new Refused('token-wrong')
    const isAllowed = operations.some((operation) => {
      const [verb, pattern] = operation.split(' ')
      return verb === method && new RegExp(`^${pattern}$`).test(this.matched(path))
    })
    if (!isAllowed) throw new Refused('token-not-allowed')
    return this.#limits.get(token)
  }

  #create(
    kind: HandPayment['kind'],
    id: string,
    taken: HandPayment | undefined,
    body: string,
    limit: string | undefined,
  ): HandAnswer {
    if (taken !== undefined) throw new Refused('id-repeated')
    let request: HandPayment['request'] & { paymentRequested?: { money?: { amount?: unknown } } }
    try {
      request = JSON.parse(body)
    } catch {
      throw new Refused('body-not-json')
    }
    const money = request.paymentRequested?.money
    if (money === undefined) throw new Refused('money-missing')
    if (!(Number(money.amount) > 0)) throw new Refused('amount-wrong')
    if (limit !== undefined && limit !== JSON.stringify(money)) throw new Refused('token-not-allowed')
    const payment: HandPayment = { kind, id, request, money, createdAt: '2026-11-22T10:00:00.000Z', step: -1 }
    this.payments.set(`${kind} ${id}`, payment)
    return this.created(payment)
  }

  #lookUp(payment: HandPayment): HandAnswer {
    const last = this.steps.length - 1
    if (payment.step < last) {
      payment.step++
      if (payment.step === last) payment.processedAt = '2026-11-22T10:00:05.000Z'
      if (payment.step === last || (payment.step > 0 && this.tellsOfEachChange)) this.#tell(payment)
    }
    return this.found(payment, this.steps[payment.step] ?? '')
  }

  #tell(payment: HandPayment): void {
    const { callbackUrl } = payment.request
    if (callbackUrl === undefined) return
    const deliver = async () => {
      for (let time = 0; time < this.callbackTries && !this.#closed; time++) {
        const status = await fetch(callbackUrl, this.callback(payment)).then(
          ({ status }) => status,
          () => 0,
        )
        if (status >= 200 && status <= 299) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    const delivery = deliver()
    this.#callbacks.add(delivery)
    void delivery.finally(() => this.#callbacks.delete(delivery))
  }
}
