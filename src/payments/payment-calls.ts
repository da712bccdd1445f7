import type { Scope, ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import { IdempotencyConflictError } from '../errors.js'
import type { GatewayProfile, PaymentProfile } from '../gateway-profile/profile.js'
import type { Call, CallLimits } from '../http/call.js'
import type { Http } from '../http/http.js'
import type { GatewayRequest, GatewayResponse } from '../http/request.js'
import type { TokenSource } from '../http/token-source.js'
import type { CallOptions } from '../input/call-options.js'
import { checkId } from '../input/payment-id.js'
import { checkWaitOptions, type WaitOptions } from '../input/wait-options.js'
import type { Lane } from '../observe/events.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import {
  idFieldOf,
  type PaymentKind,
  paymentMethods,
  paymentPath,
  paymentRoutes,
} from '../schemas/payment-kind.js'
import type { Shape } from '../schemas/shape.js'
import type { CallbackLink } from './callback-link.js'
import { comparePayment, differingMoney } from './compare.js'
import { type PaymentLike, type PaymentReading, readBy } from './final.js'
import { identify, identifyAfter409, idPathOf, isMixedUp } from './identity.js'
import { meaningAfter409, meaningOfCreate, meaningOfRead } from './meaning.js'
import { PaymentListeners } from './payment-listeners.js'
import { type PreparedCreate, prepareCreate } from './requests.js'
import { watchPayment } from './watch.js'

/** What payins and payouts differ in. */
export interface PaymentTraits<Created, Found extends PaymentLike, Result> {
  readonly kind: PaymentKind
  readonly createdShape: Shape<Created>
  readonly foundShape: Shape<Found>
  /** What a create resolves to when the gateway accepted the payment now. */
  readonly accepted: (payment: Created, id: string) => Result
  /** The same when it had accepted it before; `existedBefore` when this call can't have made it. */
  readonly replayed: (
    payment: Found,
    id: string,
    notCompared: readonly string[],
    existedBefore: boolean,
  ) => Result
}

/** What they share. */
export interface PaymentParts {
  readonly http: Http
  readonly tokens: TokenKeeper<Scope>
  readonly scopes: ScopeRules
  readonly reading: PaymentReading
  readonly callbacks: CallbackLink
  readonly profile: GatewayProfile | undefined
}

const conflictStatus = 409

/** The idempotent create, the look-up and the waits that payins and payouts share. */
export class PaymentCalls<Created extends object, Found extends PaymentLike, Result> {
  readonly #traits: PaymentTraits<Created, Found, Result>
  readonly #parts: PaymentParts
  readonly #profile: PaymentProfile | undefined
  readonly #foundShape: Shape<Found>
  readonly #listeners = new PaymentListeners<Found>()

  constructor(traits: PaymentTraits<Created, Found, Result>, parts: PaymentParts) {
    this.#traits = traits
    this.#parts = parts
    this.#profile = parts.profile?.[`${traits.kind}s`]
    const { statusField = 'process.status' } = this.#profile ?? {}
    const { foundShape } = traits
    this.#foundShape = statusField === 'process.status' ? foundShape : { ...foundShape, elsewhere: 'process' }
  }

  /** Resolves to the payment, accepted now or before; rejects with a conflict, a refusal, or an unknown outcome. */
  async create(request: PaymentCreateInput, options: CallOptions | undefined): Promise<Result> {
    const { kind } = this.#traits
    const { callbacks, http } = this.#parts
    const prepared = prepareCreate(kind, request, options, (id) => callbacks.urlFor(kind, id))
    // Not awaited here: while a call waits, it holds what was made of the request and not the request.
    return this.#send(prepared, http.limits(prepared.options))
  }

  #send({ id, givenId, body, money }: PreparedCreate, limits: CallLimits): Promise<Result> {
    const { kind, createdShape, accepted } = this.#traits
    const { http } = this.#parts
    const create: GatewayRequest<Created> = {
      name: paymentMethods[kind].create,
      method: 'POST',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].create,
      lane: 'create',
      token: this.#tokenFor(id),
      body,
      shape: createdShape,
      identify: (created) => identify(kind, created, id),
      alsoAnswer: conflictStatus,
      meaning: (evidence) => meaningOfCreate(kind, id, givenId, evidence),
    }
    return http.call(create, limits, async (call) => {
      const response = await http.send(call, create)
      // The caller may reuse its object meanwhile: what was sent is what is compared.
      if (response.value === undefined) return this.#resolveConflict(id, JSON.parse(body), response, call)
      call.watched?.created(false)
      const differences = differingMoney(money, response.value)
      if (differences.length > 0) throw this.#otherMoney(id, differences, response)
      return accepted(response.value, id)
    })
  }

  async retrieve(id: string, options: CallOptions | undefined, lane: Lane = 'read'): Promise<Found> {
    checkId(id, idFieldOf[this.#traits.kind])
    return this.#parts.http.request(this.#lookUp(id, lane), options)
  }

  async waitFor(id: string, options: WaitOptions): Promise<Found> {
    const watching = this.watch(id, options)
    for (;;) {
      const step = await watching.next()
      if (step.done === true) return step.value
    }
  }

  watch(id: string, options: WaitOptions): AsyncGenerator<Found, Found> {
    const { kind } = this.#traits
    checkId(id, idFieldOf[kind])
    const { http, reading, callbacks } = this.#parts
    const wait = checkWaitOptions(options)
    const look = (deadlineMs: number, signal: AbortSignal) => {
      const limitMs = Math.max(1, Math.min(deadlineMs, http.defaultDeadlineMs))
      return this.retrieve(id, { signal, deadlineMs: limitMs }, 'poll')
    }
    const source = { kind, id, look, reading, listeners: this.#listeners, closing: http.closing }
    return watchPayment({ ...source, callbacksArrive: () => callbacks.arrive() }, wait)
  }

  /** Something happened to this payment: whoever waits for it looks at once, or takes what was seen. */
  notify(id: string, seen?: Found): void {
    this.#listeners.notify(id, seen)
  }

  /** 409: the id is taken. By this very payment, or by another one? */
  async #resolveConflict(
    id: string,
    request: PaymentCreateInput,
    conflict: GatewayResponse<Created>,
    call: Call,
  ): Promise<Result> {
    const { kind, replayed } = this.#traits
    const { http, reading } = this.#parts
    call.watched?.created(true)
    const existedBefore = call.evidence === 'none'
    // It proves that the payment exists, unless the look-up shows that answers got mixed up.
    call.learn('certain')
    const { value: payment } = await http.send(call, {
      ...this.#lookUp(id, 'create'),
      identify: (found) => {
        readBy(this.#profile, found)
        return identifyAfter409(kind, found, id, request, reading)
      },
      retryNotFound: true,
      meaning: (evidence, failure) =>
        isMixedUp(failure)
          ? meaningOfCreate(kind, id, true, 'possible')
          : meaningAfter409(kind, id, evidence),
    })
    if (payment === undefined) throw new TypeError('an answer without a value')
    const { differences, notCompared } = comparePayment(request, payment)
    if (differences.length > 0) throw this.#conflict(id, differences, conflict)
    const ofId = identify(kind, payment, id).shows === 'asked' ? [] : [idPathOf(kind)]
    return replayed(payment, id, [...ofId, ...notCompared], existedBefore)
  }

  #conflict(
    id: string,
    differences: readonly string[],
    conflict: GatewayResponse<Created>,
  ): IdempotencyConflictError {
    const { kind } = this.#traits
    const idField = idFieldOf[kind]
    return new IdempotencyConflictError(
      `${paymentRoutes[kind].create}: ${idField} belongs to a ${kind} that differs in ${differences.join(', ')} (409); that ${kind} exists and this request made no other, so retrieve it, and use a new id only if you mean a second ${kind}.`,
      {
        [idField]: id,
        outcome: 'accepted',
        status: conflictStatus,
        attempts: conflict.attempts,
        differences,
      },
    )
  }

  /** Accepted, and yet not what was asked for: no caller may book it as that. */
  #otherMoney(
    id: string,
    differences: readonly string[],
    { status, attempts }: GatewayResponse<Created>,
  ): IdempotencyConflictError {
    const { kind } = this.#traits
    return new IdempotencyConflictError(
      `${paymentRoutes[kind].create}: the gateway accepted this ${kind} and shows other money than was asked for (${status}): ${differences.join(', ')}; that ${kind} exists, so retrieve it, and never create it under another id.`,
      { [idFieldOf[kind]]: id, outcome: 'accepted', status, attempts, differences },
    )
  }

  #lookUp(id: string, lane: Lane): GatewayRequest<Found> {
    const { kind } = this.#traits
    return {
      name: paymentMethods[kind].retrieve,
      method: 'GET',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].retrieve,
      lane,
      token: this.#tokenFor(id),
      shape: this.#foundShape,
      identify: (found) => {
        readBy(this.#profile, found)
        return identify(kind, found, id)
      },
      meaning: () => meaningOfRead(kind, id),
    }
  }

  #tokenFor(id: string): TokenSource {
    const { tokens, scopes } = this.#parts
    return tokens.for(scopes.payment(this.#traits.kind, id))
  }
}
