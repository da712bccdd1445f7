import type { Credentials } from '../auth/credentials.js'
import { actionScope, operationsScope } from '../auth/scope.js'
import { bearerToken, type Grant, type TokenFacts, type TokenIssuer } from '../auth/token-issuer.js'
import type { Clock } from '../clock/clock.js'
import type { FaultAction } from '../faults/fault.js'
import { answerShapes, firstCreateFaults, HIDDEN_MS } from '../faults/magic-faults.js'
import { Memory } from '../memory/bounded-map.js'
import type { Balances } from '../payments/balances.js'
import type { Payment, PaymentKind } from '../payments/payment.js'
import { type PaymentRequest, parseCreate } from '../payments/payment-request.js'
import { isWrittenAsFraction, parseObject, requireJsonContent } from '../wire/json-body.js'
import { parseMoney, sameMoney } from '../wire/money.js'
import { type EngineRequest, header } from '../wire/request.js'
import { type Answer, ok, Refusal, refused } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import type { Bank } from './ledger.js'
import type { Answers } from './response-bodies.js'

/** What the endpoints need. */
export interface GatewayParts {
  readonly clock: Clock
  readonly bank: Bank
  readonly balances: Balances
  readonly credentials: Credentials
  readonly tokens: TokenIssuer
  readonly answers: Answers
  readonly channelName: string
  readonly merchantCode: string
  readonly tokenField: string
  readonly tokenFormat: 'json' | 'text'
  readonly maxValiditySecs: number
}

/** The fault that a magic value asks for. */
export interface Magic {
  readonly fault: FaultAction
}

const DEFAULT_VALIDITY_SECS = 900

/** The endpoints of section 4: what each does with a request that reached it. */
export class Gateway {
  readonly #parts: GatewayParts
  readonly #disturbed = new Memory<true>(10_000, 4 * 1024 * 1024)

  constructor(parts: GatewayParts) {
    this.#parts = parts
  }

  /** The two token endpoints: the body first, because the secret may be in it. */
  async mint(route: RouteName, request: EngineRequest): Promise<Answer> {
    const { credentials, clock, tokens, merchantCode, maxValiditySecs } = this.#parts
    requireJsonContent(request.headers)
    const body = parseObject(request.body)
    credentials.check(request.headers, request.body, body, clock.now())
    requireIntegers(request.body)
    const scope = route === 'POST /auth-tokens-by-action' ? actionScope(body) : operationsScope(body)
    const token = await tokens.mint(merchantCode, validity(body.validitySecs, maxValiditySecs), scope)
    return { ...this.#tokenResponse(token), minted: token }
  }

  /** What the sandbox knows of the token that came with a request or goes out with its answer. */
  factsOf(request: EngineRequest, answer: Answer): TokenFacts | undefined {
    const { tokens } = this.#parts
    return tokens.factsOf(answer.minted ?? bearerToken(header(request.headers, 'authorization')))
  }

  /** Who asks, and may they: 401, then 403. The statuses are assumptions. */
  async authorise(request: EngineRequest, target: Target): Promise<Grant> {
    const grant = await this.#parts.tokens.verify(header(request.headers, 'authorization'))
    if (grant.permits(request.method, target)) return grant
    throw new Refusal(
      403,
      'OUT_OF_SCOPE',
      `The access token does not allow ${request.method} ${target.path}.`,
    )
  }

  /**
   * An endpoint with a token that allows it. Synchronous, so that no two creates can race. A create that asks
   * for a fault by a magic value gets that fault instead of an answer; asked again, it is served.
   */
  serve(route: RouteName, request: EngineRequest, target: Target, grant: Grant): Answer | Magic {
    const { answers, balances, channelName } = this.#parts
    switch (route) {
      case 'POST /payins/{idPayin}':
        return this.#create('payin', request, target, grant)
      case 'POST /payouts/{idPayout}':
        return this.#create('payout', request, target, grant)
      case 'GET /payins/{idPayin}':
        return this.#show('payin', target, answers.payinDetails)
      case 'GET /payouts/{idPayout}':
        return this.#show('payout', target, answers.payoutStatus)
      case 'GET /payins/{idPayin}/customer-account':
        return this.#show('payin', target, answers.customerAccount)
      case 'POST /payins/!availablePaymentOptions': {
        requireJsonContent(request.headers)
        const { currencyCode } = parseMoney(parseObject(request.body).money, 'money')
        return ok(answers.paymentOptions(balances.currencies.includes(currencyCode)))
      }
      case 'GET /merchant-info':
        return ok({ channelInfo: { name: channelName } })
      case 'GET /balances':
        return ok(answers.balances(balances, target.query))
      case 'GET /currencies':
        return ok(answers.currencies(balances))
      case 'GET /payment-operators':
        return ok(answers.paymentOperators())
      case 'POST /auth-tokens':
      case 'POST /auth-tokens-by-action':
        throw new Error(`${route} is served by mint.`)
    }
  }

  #tokenResponse(token: string): Answer {
    const { tokenField, tokenFormat } = this.#parts
    if (tokenFormat === 'json') return ok({ [tokenField]: token })
    return { ...ok(token), headers: { 'content-type': 'text/plain; charset=utf-8' } }
  }

  #create(kind: PaymentKind, request: EngineRequest, target: Target, grant: Grant): Answer | Magic {
    requireJsonContent(request.headers)
    const id = paymentId(target)
    // Section 7: an accepted id is a conflict, whatever the body; so it comes before the body is looked at.
    if (this.#parts.bank.store(kind).isTaken(id)) {
      return refused(409, 'ALREADY_ACCEPTED', `A ${kind} with this id has already been accepted.`)
    }
    const asked = parseCreate(kind, parseObject(request.body))
    const limit = grant.scope.money
    if (limit !== undefined && !sameMoney(limit, asked.money)) {
      throw new Refusal(403, 'OUT_OF_SCOPE', 'The access token is limited to another amount or currency.')
    }
    const fault = this.#firstFault(`${kind} ${id}`, asked)
    return fault === undefined ? this.#created(this.#parts.bank.accept(kind, id, asked)) : { fault }
  }

  #created(payment: Payment): Answer {
    const { answers } = this.#parts
    return this.#shaped(
      payment,
      payment.kind === 'payin' ? answers.payinCreated(payment) : answers.payoutCreated(payment),
    )
  }

  #show(kind: PaymentKind, target: Target, body: (payment: Payment) => unknown): Answer {
    const payment = this.#parts.bank.store(kind).find(paymentId(target))
    if (payment === undefined || this.#isHidden(payment)) {
      return refused(404, 'PAYMENT_NOT_FOUND', `There is no ${kind} with this id.`)
    }
    return this.#shaped(payment, body(payment))
  }

  #isHidden(payment: Payment): boolean {
    const { bank, clock } = this.#parts
    if (bank.magic(payment.request)?.answers !== 'hidden-at-first') return false
    return clock.monotonic() - payment.acceptedAtMs < HIDDEN_MS
  }

  #shaped(payment: Payment, body: unknown): Answer {
    const shape = this.#parts.bank.magic(payment.request)?.answers
    return ok(shape === undefined ? body : answerShapes[shape](body))
  }

  #firstFault(key: string, asked: PaymentRequest): FaultAction | undefined {
    const first = this.#parts.bank.magic(asked)?.firstCreate
    if (first === undefined || this.#disturbed.has(key)) return undefined
    this.#disturbed.set(key, true)
    return firstCreateFaults[first]
  }
}

function paymentId({ id }: Target): string {
  if (typeof id === 'string' && id !== '.' && id !== '..' && !id.startsWith('!')) return id
  throw new Refusal(400, 'INVALID_ID', 'The id in the path is not a usable payment id.')
}

/** Section 2 calls both integers, and `9e2` is none. */
function requireIntegers(body: Uint8Array): void {
  const text = Buffer.from(body).toString('utf8')
  for (const [field, code] of [
    ['validitySecs', 'INVALID_VALIDITY'],
    ['timestamp', 'INVALID_TIMESTAMP'],
  ] as const) {
    if (isWrittenAsFraction(text, field)) {
      throw new Refusal(400, code, `${field} must be written as an integer, without a point or an exponent.`)
    }
  }
}

function validity(value: unknown, most: number): number {
  if (value === undefined) return Math.min(DEFAULT_VALIDITY_SECS, most)
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  const message = `validitySecs must be a whole number of seconds, from 1 to ${most}.`
  throw new Refusal(400, 'INVALID_VALIDITY', message)
}
