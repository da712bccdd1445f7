import { sign } from 'node:crypto'
import { expect } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { jsonOf } from '../../../src/client/input/json.js'
import type { GatewayProfile } from '../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../src/client/profile/shape.js'
import { shapeOfBody } from '../../../src/profile/shapes/shape-of.js'
import { privatePem } from '../../support/vectors.js'

interface Asking {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What an answer looks like, without anything that is in it. */
interface Looks {
  readonly status: number
  readonly type: string | undefined
  readonly shape: Shape | undefined
}

/** One of the two that are compared. */
class Side {
  readonly looks: Looks[] = []
  readonly names: string[] = []
  readonly #fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly #profile: GatewayProfile
  /** Lets payments go one step on. */
  readonly step: () => Promise<unknown>

  constructor(
    fetch: (path: string, init: RequestInit) => Promise<Response>,
    profile: GatewayProfile,
    step: () => Promise<unknown> = async () => undefined,
  ) {
    this.#fetch = fetch
    this.#profile = profile
    this.step = step
  }

  async ask(name: string, { method, path, token, body, headers }: Asking): Promise<string> {
    const response = await this.#fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        'x-api-version': '2',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const type = response.headers.get('content-type')?.split(';')[0]
    this.names.push(name)
    this.looks.push({ status: response.status, type, shape: shapeOfBody(text, []) })
    return text
  }

  tokenRequest(grant: object, validitySecs: number): Asking & { readonly body: string } {
    const { timestampUnit = 'seconds' } = this.#profile.tokens ?? {}
    const now = Date.now()
    const timestamp = timestampUnit === 'seconds' ? Math.floor(now / 1000) : now
    const body = JSON.stringify({ merchantCode: 'M-0001', ...grant, validitySecs, timestamp })
    const signature = sign('RSA-SHA256', Buffer.from(body), privatePem).toString('base64')
    const path = 'action' in grant ? '/auth-tokens-by-action' : '/auth-tokens'
    return { method: 'POST', path, body, headers: { 'x-signature': signature } }
  }

  async token(grant: object, validitySecs: number): Promise<string> {
    const text = await this.ask('a token', this.tokenRequest(grant, validitySecs))
    const { format, field = '' } = this.#profile.tokens ?? {}
    if (format === 'text') return text.trim()
    let found = jsonOf(text)
    if (format === 'json') for (const name of field.split('.')) found = Reflect.get(Object(found), name)
    return String(found)
  }
}

const money = { amount: 12.5, currencyCode: 'EUR' }
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

/** Thirty requests of every kind. @param round makes ids and token requests those of this round. */
async function askAll(
  side: Side,
  round: number,
  { tokens, customerAccountPath }: GatewayProfile,
): Promise<void> {
  const { longestValiditySecs = 900 } = tokens ?? {}
  // Of other bytes every time, since some take a request once.
  let secs = Math.min(900, longestValiditySecs) - 7 * round
  const token = (grant: object) => side.token(grant, secs--)
  const payins = await token({ operations: ['POST /payins/.*', 'GET /payins/.*'] })
  const payouts = await token({ operations: ['POST /payouts/.*', 'GET /payouts/.*'] })
  const lists = ['/merchant-info', '/balances', '/currencies', '/payment-operators']
  const own = await token({ operations: lists.map((path) => `GET ${path}`) })
  for (const path of lists) await side.ask(path, { method: 'GET', path, token: own })
  const post = (path: string, token: string, body: unknown) => ({
    method: 'POST',
    path,
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await side.ask('options', post('/payins/!availablePaymentOptions', payins, { money }))
  const payin = { paymentRequested: { money }, paymentMethod: { paymentMethodCode: 'VAPAY', account } }
  const payout = { ...payin, paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account } }
  const [id, other] = [`same-${round}`, `other-${round}`]
  for (const [kind, bearer, body] of [
    ['payins', payins, payin],
    ['payouts', payouts, payout],
  ] as const) {
    const look = { method: 'GET', path: `/${kind}/${id}`, token: bearer }
    await side.ask(`${kind}: unknown`, look)
    await side.ask(`${kind}: create`, post(`/${kind}/${id}`, bearer, body))
    await side.ask(`${kind}: again`, post(`/${kind}/${id}`, bearer, body))
    for (let step = 0; step < 3; step++) {
      await side.ask(`${kind}: look-up ${step}`, look)
      await side.step()
    }
  }
  if (customerAccountPath !== undefined) {
    const path = customerAccountPath.replace('{idPayin}', id)
    await side.ask('customer account', { method: 'GET', path, token: payins })
  }
  await token({ action: 'PAYIN_INFO', idPayment: id })
  await side.ask('no token', { method: 'GET', path: '/merchant-info' })
  await side.ask('wrong token', {
    method: 'GET',
    path: '/merchant-info',
    token: `${own.slice(0, -9)}AAAAAAAAA`,
  })
  await side.ask('not allowed', { method: 'GET', path: `/payins/${id}`, token: own })
  await side.ask('no JSON', post(`/payins/${other}`, payins, '{'))
  await side.ask('no money', post(`/payins/${other}`, payins, { paymentMethod: payin.paymentMethod }))
  const less = { ...payin, paymentRequested: { money: { ...money, amount: -1 } } }
  await side.ask('less than nothing', post(`/payins/${other}`, payins, less))
  await side.ask('no version', {
    method: 'GET',
    path: '/currencies',
    token: own,
    headers: { 'x-api-version': '' },
  })
  await side.ask('no such path', { method: 'GET', path: `/payins/${id}/nothing`, token: payins })
  const request = side.tokenRequest({ operations: ['GET /currencies'] }, secs--)
  await side.ask('a token once', request)
  await side.ask('and again', request)
  const wrong = { 'x-signature': `AAAA${request.headers?.['x-signature']?.slice(4)}` }
  await side.ask('wrong signature', { ...request, headers: wrong })
  if (tokens?.longestValiditySecs !== undefined && tokens.longestValiditySecs < 86_400) {
    await side.ask('a day', side.tokenRequest({ operations: ['GET /currencies'] }, 86_400))
  }
}

/** How many requests are compared. */
const compared = 200

/** Asks a gateway and a sandbox of its profile the same, and compares what comes, request by request. */
export async function expectSameShapes(
  baseUrl: string,
  profile: GatewayProfile,
  endsAtOnce: boolean,
): Promise<void> {
  const sandbox = createSandbox({
    profile,
    merchantCode: 'M-0001',
    privateKey: privatePem,
    clock: 'virtual',
    startAt: Date.now(),
    rateLimit: false,
    pendingAfterMs: endsAtOnce ? 0 : 1000,
    settleAfterMs: endsAtOnce ? 0 : 2000,
    deliver: async () => ({ status: 204 }),
  })
  try {
    const theirs = new Side((path, init) => fetch(baseUrl + path, init), profile)
    const ours = new Side(
      (path, init) => sandbox.fetch(`https://gateway.sandbox.invalid${path}`, init),
      profile,
      () => sandbox.clock.advance(1000),
    )
    for (let round = 0; theirs.looks.length < compared; round++) {
      await askAll(theirs, round, profile)
      await askAll(ours, round, profile)
    }
    const named = ({ looks, names }: Side) =>
      looks.slice(0, compared).map((look, at) => `${at} ${names[at]}: ${JSON.stringify(look, sorted)}`)
    expect(named(ours)).toEqual(named(theirs))
    expect(named(ours)).toHaveLength(compared)
  } finally {
    await sandbox.close()
  }
}

/** Fields of an object have no order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
