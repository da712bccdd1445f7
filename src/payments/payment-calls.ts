import type { Scope, ScopeRules } from '../auth/scopes.js'
import { IdempotencyConflictError } from '../errors.js'
import type { Answer, Call, CallOptions } from '../http/call.js'
import type { Exchange } from '../http/exchange.js'
import { customerData } from '../http/redact.js'
import type { Lane } from '../observe/events.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { checkId } from '../schemas/payment-id.js'
import {
  idFieldOf,
  type PaymentKind,
  paymentMethods,
  paymentPath,
  paymentRoutes,
} from '../schemas/payment-kind.js'
import type { Shape } from '../schemas/shape.js'
import type { CallbackLink } from './callback-link.js'
import { comparePayment } from './compare.js'
import type { PaymentLike } from './final.js'
import { meaningOfCreate, meaningOfRead } from './meaning.js'
import { type PreparedCreate, prepareCreate } from './requests.js'
import { Wakes } from './wakes.js'
import { checkWaitOptions, type WaitOptions, watchPayment } from './watch.js'

/** What payins and payouts differ in. */
export interface PaymentTraits<Created, Found extends PaymentLike, Result> {
  readonly kind: PaymentKind
  readonly createdShape: Shape<Created>
  readonly foundShape: Shape<Found>
  /** What a create resolves to when the gateway accepted the payment now. */
  readonly accepted: (payment: Created, id: string) => Result
  /** The same when it had accepted it before. */
  readonly replayed: (payment: Found, id: string, notCompared: readonly string[]) => Result
}

/** What is the same for both. */
export interface PaymentSettings {
  readonly exchange: Exchange<Scope>
  readonly scopes: ScopeRules
  readonly isFinal: (payment: PaymentLike) => boolean
  readonly callbacks: CallbackLink
}

const found409 = 409

/** The idempotent create, the look-up and the waits that payins and payouts share. */
export class PaymentCalls<Created extends object, Found extends PaymentLike, Result> {
  readonly #traits: PaymentTraits<Created, Found, Result>
  readonly #settings: PaymentSettings
  readonly #wakes = new Wakes<Found>()

  constructor(traits: PaymentTraits<Created, Found, Result>, settings: PaymentSettings) {
    this.#traits = traits
    this.#settings = settings
  }

  /** One question with four answers: the result, the conflict, the refusal, and not knowing. */
  async create(request: PaymentCreateInput, options: CallOptions | undefined): Promise<Result> {
    const { kind } = this.#traits
    const { callbacks } = this.#settings
    // Not awaited here: while a call waits, it holds what was made of the request and not the request.
    return this.#send(
      prepareCreate(kind, request, options, (id) => callbacks.urlFor(kind, id)),
      options,
    )
  }

  #send({ id, givenId, body }: PreparedCreate, options: CallOptions | undefined): Promise<Result> {
    const { kind, createdShape, accepted } = this.#traits
    const { exchange, scopes } = this.#settings
    const call: Call<Scope, Created> = {
      name: paymentMethods[kind].create,
      method: 'POST',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].create,
      lane: 'create',
      scope: scopes.payment(kind, id),
      body,
      shape: createdShape,
      verify: (created) => this.#verifyId(created, id),
      alsoAnswer: found409,
      meaning: (evidence) => meaningOfCreate(kind, id, givenId, evidence),
      options,
    }
    return exchange.watch(call, (question) =>
      exchange.call(question).then((answer) => {
        question.watched?.created(answer.value === undefined)
        if (answer.value !== undefined) return accepted(answer.value, id)
        // The caller may reuse its object meanwhile: what was sent is what is compared.
        return this.#resolveConflict(id, JSON.parse(body), answer, question)
      }),
    )
  }

  async retrieve(id: string, options: CallOptions | undefined, lane: Lane = 'read'): Promise<Found> {
    checkId(id, idFieldOf[this.#traits.kind])
    return this.#settings.exchange.value(this.#lookUp(id, lane, options))
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
    checkWaitOptions(options)
    const { exchange, isFinal, callbacks } = this.#settings
    const { signal } = options
    const look = (deadlineMs: number) => {
      const limitMs = Math.max(1, Math.min(deadlineMs, exchange.defaultDeadlineMs))
      return this.retrieve(id, { signal, deadlineMs: limitMs }, 'poll')
    }
    const source = { kind, id, look, isFinal, wakes: this.#wakes, closing: exchange.closing }
    return watchPayment({ ...source, callbacksArrive: () => callbacks.arrive() }, options)
  }

  /** Something happened to this payment: whoever waits for it looks at once, or takes what was seen. */
  wake(id: string, seen?: Found): void {
    this.#wakes.wake(id, seen)
  }

  /** 409: the id is taken. By this very payment, or by another one? */
  async #resolveConflict(
    id: string,
    request: PaymentCreateInput,
    conflict: Answer<Created>,
    { options, watched }: Call<Scope, Created>,
  ): Promise<Result> {
    const { kind, replayed } = this.#traits
    const payment = await this.#settings.exchange.value({
      ...this.#lookUp(id, 'create', options),
      retryNotFound: true,
      startedAt: conflict.startedAt,
      ...(watched === undefined ? {} : { watched }),
      secrets: () => customerData(request),
      // The 409 has proved that it exists, whatever becomes of the look-up.
      meaning: () => meaningOfCreate(kind, id, true, 'certain'),
    })
    const { differences, notCompared } = comparePayment(request, payment)
    if (differences.length > 0) throw this.#conflict(id, differences, conflict)
    return replayed(payment, id, notCompared)
  }

  #conflict(id: string, differences: readonly string[], conflict: Answer<Created>): IdempotencyConflictError {
    const { kind } = this.#traits
    const idField = idFieldOf[kind]
    return new IdempotencyConflictError(
      `${paymentRoutes[kind].create}: ${idField} belongs to a ${kind} that differs in ${differences.join(', ')} (409); that ${kind} exists and this request made no other, so retrieve it, and use a new id only if you mean a second ${kind}.`,
      { [idField]: id, outcome: 'accepted', status: found409, attempts: conflict.attempts, differences },
    )
  }

  #lookUp(id: string, lane: Lane, options: CallOptions | undefined): Call<Scope, Found> {
    const { kind, foundShape } = this.#traits
    return {
      name: paymentMethods[kind].retrieve,
      method: 'GET',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].retrieve,
      lane,
      scope: this.#settings.scopes.payment(kind, id),
      shape: foundShape,
      verify: (found) => this.#verifyId(found, id),
      meaning: () => meaningOfRead(kind, id),
      options,
    }
  }

  /** An answer about another payment is worse than none. */
  #verifyId(payment: object, id: string): readonly string[] {
    const name = idFieldOf[this.#traits.kind]
    const response: unknown = Object.getOwnPropertyDescriptor(payment, 'paymentMethodResponse')?.value
    if (typeof response !== 'object' || response === null) return []
    const there: unknown = Object.getOwnPropertyDescriptor(response, name)?.value
    return there === undefined || there === null || there === id
      ? []
      : [`paymentMethodResponse.${name}: not the id that was asked for`]
  }
}
