import { put } from '../../common/json.js'
import type { Credentials } from '../auth/credentials.js'
import { scopeOf, tokenRequestSchemas } from '../auth/scope.js'
import { bearerToken, type Grant, type TokenIssuer } from '../auth/token-issuer.js'
import type { Clock } from '../clock/clock.js'
import { changedWhereShown } from '../faults/apply-fault.js'
import type { FaultAction } from '../faults/fault.js'
import { BoundedMap } from '../memory.js'
import type { SandboxSettings } from '../normalise-options.js'
import type { Balances } from '../payments/balances.js'
import { type Listed, notesOf } from '../payments/mistakes.js'
import type { Payment, PaymentKind } from '../payments/payment.js'
import { type PaymentRequest, parseCreate, paymentRequestedSchema } from '../payments/payment-request.js'
import { parseObject, readBody, requireJsonContent } from '../wire/json-body.js'
import { sameMoney } from '../wire/money.js'
import type { RefusalCode } from '../wire/refusal-fixes.js'
import { type GatewayRequest, header } from '../wire/request.js'
import { type GatewayResponse, ok, Refusal, refused } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import type { Ledger } from './ledger.js'
import type { ResponseBodies } from './response-bodies.js'

interface EndpointParts {
  readonly clock: Clock
  readonly ledger: Ledger
  readonly balances: Balances
  readonly credentials: Credentials
  readonly tokens: TokenIssuer
  readonly bodies: ResponseBodies
}

export interface MagicFault {
  readonly fault: FaultAction
}

const DEFAULT_VALIDITY_SECS = 900

const tokenRefusals: Readonly<Partial<Record<string, RefusalCode>>> = {
  merchantCode: 'INVALID_MERCHANT_CODE',
  action: 'INVALID_ACTION',
  idPayment: 'INVALID_ID_PAYMENT',
  operations: 'INVALID_OPERATIONS',
  money: 'INVALID_MONEY',
  validitySecs: 'INVALID_VALIDITY',
  timestamp: 'INVALID_TIMESTAMP',
}

/** The endpoints of section 4: what each does with a request that has passed the checks before it. */
export class Endpoints {
  readonly #settings: SandboxSettings
  readonly #parts: EndpointParts
  readonly #listed: Listed
  readonly #tokenRequests: ReturnType<typeof tokenRequestSchemas>
  readonly #metFirstFault = new BoundedMap<true>(10_000)

  constructor(settings: SandboxSettings, parts: EndpointParts) {
    this.#settings = settings
    this.#parts = parts
    this.#listed = {
      payinMethods: settings.payinMethods,
      operators: settings.paymentOperators.map(({ code }) => code),
      hiddenOperators: settings.magicAmounts.map(({ operatorCode }) => operatorCode),
      balances: parts.balances,
    }
    this.#tokenRequests = tokenRequestSchemas(settings.maxValiditySecs)
  }

  /** The two token endpoints: the body first, because the secret may be in it. */
  async mint(route: RouteName, request: GatewayRequest): Promise<GatewayResponse> {
    const { credentials, clock, tokens } = this.#parts
    const { merchantCode, maxValiditySecs } = this.#settings
    requireJsonContent(request.headers)
    const body = parseObject(request.body)
    credentials.check(request.headers, request.body, body, clock.now())
    const { byAction, byOperations } = this.#tokenRequests
    const schema = route === 'POST /auth-tokens-by-action' ? byAction : byOperations
    const fields = readBody(schema, body, ([field]) => tokenRefusals[String(field)] ?? 'INVALID_JSON')
    const { validitySecs = Math.min(DEFAULT_VALIDITY_SECS, maxValiditySecs) } = fields
    const token = await tokens.mint(merchantCode, validitySecs, scopeOf(fields))
    return { ...this.#tokenResponse(token), mintedToken: token }
  }

  forgetFirstCreates(): void {
    this.#metFirstFault.clear()
  }

  /** What the sandbox knows of the token that a request carries, or that its response has minted. */
  grantOf(request: GatewayRequest, response: GatewayResponse): Grant | undefined {
    const { tokens } = this.#parts
    return tokens.find(response.mintedToken ?? bearerToken(header(request.headers, 'authorization')))
  }

  /** Checks the token (401) and what it allows (403). The statuses are assumptions. */
  authorise(request: GatewayRequest, target: Target): Grant {
    const grant = this.#parts.tokens.verify(header(request.headers, 'authorization'))
    if (grant.permits(request.method, target)) return grant
    throw new Refusal(
      403,
      'OUT_OF_SCOPE',
      `The access token does not allow ${request.method} ${target.path}.`,
    )
  }

  /** Synchronous, so that two creates can't race. The first create with a magic fault returns that, and accepts nothing. */
  serve(
    route: RouteName,
    request: GatewayRequest,
    target: Target,
    grant: Grant,
  ): GatewayResponse | MagicFault {
    const { bodies, balances } = this.#parts
    switch (route) {
      case 'POST /payins/{idPayin}':
        return this.#create('payin', request, target, grant)
      case 'POST /payouts/{idPayout}':
        return this.#create('payout', request, target, grant)
      case 'GET /payins/{idPayin}':
        return this.#show('payin', target, bodies.payinDetails)
      case 'GET /payouts/{idPayout}':
        return this.#show('payout', target, bodies.payoutStatus)
      case 'GET /payins/{idPayin}/customer-account':
        return this.#show('payin', target, bodies.customerAccount)
      case 'POST /payins/!availablePaymentOptions': {
        requireJsonContent(request.headers)
        const { money } = readBody(paymentRequestedSchema, parseObject(request.body), () => 'INVALID_MONEY')
        return ok(bodies.paymentOptions(balances.currencies.includes(money.currencyCode)))
      }
      case 'GET /merchant-info':
        return ok(bodies.merchantInfo(this.#settings.channelName))
      case 'GET /balances':
        return ok(bodies.balances(balances, target.query))
      case 'GET /currencies':
        return ok(bodies.currencies(balances))
      case 'GET /payment-operators':
        return ok(bodies.paymentOperators())
      case 'POST /auth-tokens':
      case 'POST /auth-tokens-by-action':
        throw new Error(`${route} is served by mint.`)
    }
  }

  #tokenResponse(token: string): GatewayResponse {
    const { tokenField, tokenFormat } = this.#settings
    if (tokenFormat === 'json') return ok(put({}, tokenField, token))
    if (tokenFormat === 'json-string') return ok(JSON.stringify(token))
    return { ...ok(token), headers: { 'content-type': 'text/plain; charset=utf-8' } }
  }

  #create(
    kind: PaymentKind,
    request: GatewayRequest,
    target: Target,
    grant: Grant,
  ): GatewayResponse | MagicFault {
    requireJsonContent(request.headers)
    const id = paymentId(target)
    // Section 7: an accepted id is a conflict, whatever the body; so it comes before the body is looked at.
    const store = this.#parts.ledger.store(kind)
    if (store.isTaken(id)) {
      return refused(409, 'ALREADY_ACCEPTED', `A ${kind} with this id has already been accepted.`)
    }
    const requested = parseCreate(kind, parseObject(request.body))
    const limit = grant.scope.money
    if (limit !== undefined && !sameMoney(limit, requested.money)) {
      throw new Refusal(403, 'OUT_OF_SCOPE', 'The access token is limited to another amount or currency.')
    }
    const notes = notesOf(kind, requested, this.#listed, this.#settings.mistakes)
    const fault = this.#firstFault(`${kind} ${id}`, requested)
    return fault === undefined
      ? this.#created(this.#parts.ledger.accept(kind, id, requested, notes))
      : { fault }
  }

  #created(payment: Payment): GatewayResponse {
    const { bodies } = this.#parts
    return this.#changed(
      payment,
      payment.kind === 'payin' ? bodies.payinCreated(payment) : bodies.payoutCreated(payment),
    )
  }

  #show(kind: PaymentKind, target: Target, body: (payment: Payment) => unknown): GatewayResponse {
    const payment = this.#parts.ledger.store(kind).find(paymentId(target))
    if (payment === undefined || this.#isHidden(payment)) {
      return refused(404, 'PAYMENT_NOT_FOUND', `There is no ${kind} with this id.`)
    }
    return this.#changed(payment, body(payment))
  }

  #isHidden(payment: Payment): boolean {
    const { ledger, clock } = this.#parts
    const fault = ledger.magic(payment.request)?.responses
    return fault?.kind === 'hide' && clock.monotonic() - payment.acceptedAtMs < fault.ms
  }

  #changed(payment: Payment, body: unknown): GatewayResponse {
    const fault = this.#parts.ledger.magic(payment.request)?.responses
    return ok(fault === undefined || fault.kind === 'hide' ? body : changedWhereShown(fault, body))
  }

  #firstFault(key: string, requested: PaymentRequest): FaultAction | undefined {
    const fault = this.#parts.ledger.magic(requested)?.firstCreate
    if (fault === undefined || this.#metFirstFault.has(key)) return undefined
    this.#metFirstFault.set(key, true)
    return fault
  }
}

function paymentId({ id }: Target): string {
  if (typeof id === 'string' && id !== '.' && id !== '..' && !id.startsWith('!')) return id
  throw new Refusal(400, 'INVALID_ID', 'The id in the path is not a usable payment id.')
}
