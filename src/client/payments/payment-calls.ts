import type { Scope, ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import { IdempotencyConflictError } from '../errors.js'
import type { Call, CallLimits } from '../http/call.js'
import { type About, isFailed } from '../http/failure.js'
import type { Http } from '../http/http.js'
import type { GatewayRequest, GatewayResponse, Identity } from '../http/request.js'
import { refusalDetails } from '../http/response.js'
import { toError } from '../http/to-error.js'
import type { CallOptions } from '../input/call-options.js'
import { checkWaitOptions, type WaitOptions } from '../input/call-options.js'
import { isObject } from '../input/own.js'
import { checkId } from '../input/payment-id.js'
import type { Lane } from '../observe/events.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind, paymentMethods, paymentRoutes } from '../schemas/payment-kind.js'
import type { AnswerShape } from '../schemas/shape.js'
import { field, holdsId, identify, identifyAfter409, idPathOf, isMixedUp, whereItStands } from './answer.js'
import type { CallbackLink } from './callback-link.js'
import { comparePayment, type Difference, differingMoney, isTied } from './compare.js'
import { rememberId } from './id-of.js'
import type { LiveGuard } from './live-guard.js'
import { type PreparedCreate, paymentPath, prepareCreate } from './requests.js'
import {
  type PaymentLike,
  type PaymentReading,
  type ReadingOptions,
  readBy,
  readingOf,
  statusOf,
  warnOfUnlisted,
} from './status.js'
import { PaymentListeners, watchPayment } from './watch.js'

/** What payins and payouts differ in. */
export interface PaymentTraits<Created, Found extends PaymentLike, Result> {
  readonly kind: PaymentKind
  readonly createdShape: AnswerShape<Created>
  readonly foundShape: AnswerShape<Found>
  /** What a create resolves to when the gateway accepted the payment now. */
  readonly accepted: (payment: Created, id: string) => Result
  /** The same when it had accepted it before; `existedBefore` when this call can't have made it. */
  readonly replayed: (
    payment: Found,
    id: string,
    notCompared: readonly string[],
    existedBefore: boolean,
  ) => Result
  /** A payment that is there and of which nothing was shown; absent where the specification promises what is shown. */
  readonly unseen?: () => Found
}

export interface PaymentParts {
  readonly http: Http
  readonly tokens: TokenKeeper<Scope>
  readonly scopes: ScopeRules
  readonly reading: ReadingOptions
  readonly callbacks: CallbackLink
  readonly maxIdLength: number
  readonly liveGuard: LiveGuard
}

const conflictStatus = 409

/** The idempotent create, the look-up and the waits that payins and payouts share. */
export class PaymentCalls<Created extends object, Found extends PaymentLike, Result> {
  readonly #traits: PaymentTraits<Created, Found, Result>
  readonly #parts: PaymentParts
  readonly #reading: PaymentReading
  readonly #foundShape: AnswerShape<Found>
  readonly #listeners = new PaymentListeners<Found>()

  constructor(traits: PaymentTraits<Created, Found, Result>, parts: PaymentParts) {
    this.#traits = traits
    this.#parts = parts
    this.#reading = readingOf(traits.kind, parts.reading)
    const { foundShape } = traits
    const [place] = this.#reading.statusFields
    this.#foundShape = place === 'process.status' ? foundShape : { ...foundShape, elsewhere: 'process' }
  }

  /** Resolves to the payment, accepted now or before; rejects with a conflict, a refusal, or an unknown outcome. */
  async create(request: PaymentCreateInput, options: CallOptions | undefined): Promise<Result> {
    const { kind } = this.#traits
    const { callbacks, http, liveGuard, maxIdLength } = this.#parts
    const prepared = prepareCreate(kind, request, options, (id) => callbacks.urlFor(kind, id), maxIdLength)
    if (kind === 'payout') liveGuard.beforePayout(prepared.id)
    if (prepared.callbackUrl !== undefined) http.known.callbackUrls.add(prepared.callbackUrl)
    // Not awaited here: while a call waits, it holds what was made of the request and not the request.
    return this.#send(prepared, http.limits(prepared.options))
  }

  #send({ id, givenId, body, requested }: PreparedCreate, limits: CallLimits): Promise<Result> {
    const { kind, createdShape, replayed, unseen } = this.#traits
    const { http, tokens, scopes, liveGuard } = this.#parts
    const about: About = { kind: 'create', payment: kind, id, isGiven: givenId }
    const create: GatewayRequest<Created> = {
      name: paymentMethods[kind].create,
      method: 'POST',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].create,
      lane: 'create',
      token: tokens.for(scopes.payment(kind, id, field(requested, 'money'))),
      body,
      shape: createdShape,
      identify: (created) => identify(kind, created, id),
      alsoAnswer: conflictStatus,
      about,
    }
    return http.call(create, limits, async (call) => {
      const first = await http.send(call, create)
      if (isFailed(first)) throw toError(first)
      if (first.value !== undefined)
        return this.#accepted({ ...first, value: first.value }, id, requested, call)
      call.watched?.created(true)
      const existedBefore = call.outcome === 'not-accepted'
      // The caller may reuse its object meanwhile: what was sent is what is compared.
      const request: PaymentCreateInput = JSON.parse(body)
      const found = await this.#lookUpAfter409(call, id, first)
      if (found !== undefined && (unseen === undefined || isTied(found, id, request))) {
        liveGuard.check(kind, id, found, 'accepted')
        return this.#replayed(found, id, request, first, call, existedBefore)
      }
      // Nothing bears the 409 out, and it may have been another's. No copy of it comes on a connection that is new.
      const second = await http.send(call, { ...create, freshConnection: true })
      if (isFailed(second)) {
        const before = `${this.#answered409(first, call, id)}, and the look-up showed nothing of the ${kind} (${whereItStands})`
        throw toError({ ...second, about: { ...about, isGiven: true, before } })
      }
      if (second.value !== undefined)
        return this.#accepted({ ...second, value: second.value }, id, requested, call)
      const payment = found ?? unseen?.()
      if (payment === undefined) throw new TypeError('a payment without anything to show for it')
      const { notCompared } = comparePayment(request, {})
      return replayed(payment, id, [idPathOf(kind), ...notCompared], existedBefore)
    })
  }

  #accepted(
    { value, status, attempts }: GatewayResponse<Created> & { readonly value: Created },
    id: string,
    requested: unknown,
    call: Call,
  ): Result {
    const { kind, accepted } = this.#traits
    call.watched?.created(false)
    this.#parts.liveGuard.check(kind, id, value, 'accepted')
    const differing = differingMoney(requested, value)
    if (differing.length === 0) return accepted(value, id)
    // Accepted, and yet not what was asked for: no caller may book it as that.
    throw new IdempotencyConflictError(
      `${paymentRoutes[kind].create}: the gateway accepted this ${kind} and shows other money than was asked for (${status}): ${inWords(differing)}; that ${kind} exists, so retrieve it, and never create it under another id.`,
      { [idFieldOf[kind]]: id, outcome: 'accepted', status, attempts, differences: fieldsOf(differing) },
    )
  }

  async retrieve(
    id: string,
    options: CallOptions | undefined,
    lane: Lane = 'read',
    onSent?: () => void,
  ): Promise<Found> {
    const { kind } = this.#traits
    const { callbacks, http, liveGuard, maxIdLength } = this.#parts
    checkId(id, idFieldOf[kind], maxIdLength)
    // Another process may have sent it: the answer may quote it all the same.
    const callbackUrl = callbacks.urlFor(kind, id)
    if (callbackUrl !== undefined) http.known.callbackUrls.add(callbackUrl)
    const found = await http.request(this.#lookUp(id, lane), options, onSent)
    liveGuard.check(kind, id, found)
    return found
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
    const { http, callbacks, maxIdLength } = this.#parts
    checkId(id, idFieldOf[kind], maxIdLength)
    const wait = checkWaitOptions(options)
    const look = (deadlineMs: number, signal: AbortSignal) => {
      const limitMs = Math.max(1, Math.min(deadlineMs, http.defaultDeadlineMs))
      return this.retrieve(id, { signal, deadlineMs: limitMs }, 'poll')
    }
    const source = { kind, id, look, listeners: this.#listeners, closing: http.closing }
    return watchPayment({ ...source, callbacksArrive: () => callbacks.arrive() }, wait)
  }

  /** Something happened to this payment: whoever waits for it looks at once, or takes what was seen. */
  notify(id: string, seen?: Found): void {
    this.#listeners.notify(id, seen)
  }

  /**
   * The payment under an id that a create was answered 409 for. Undefined where the answer shows another one, or none,
   * and nothing is promised of what it shows.
   */
  async #lookUpAfter409(
    call: Call,
    id: string,
    refused: GatewayResponse<Created>,
  ): Promise<Found | undefined> {
    const { kind, unseen } = this.#traits
    // The 409 proves that the payment exists, unless the look-up shows that answers got mixed up.
    call.learn('unknown')
    const about: About = { kind: 'create', payment: kind, id, isGiven: true }
    const result = await this.#parts.http.send(call, {
      ...this.#lookUp(id, 'create'),
      // A payin may show no more than a status: left over from another one's look-up, it would be taken for this one's.
      freshConnection: unseen !== undefined,
      identify: (found) => this.#read(found, id, identifyAfter409(kind, found, id)),
      retryNotFound: true,
      about,
    })
    if (!isFailed(result)) return result.value
    if (!isMixedUp(result.failure)) {
      const before = this.#answered409(refused, call, id)
      throw toError({ ...result, outcome: 'accepted', about: { ...about, before } })
    }
    if (unseen === undefined) throw toError(result)
    return undefined
  }

  /** The gateway had accepted it before: this very payment, or another one? */
  #replayed(
    found: Found,
    id: string,
    request: PaymentCreateInput,
    refused: GatewayResponse<Created>,
    call: Call,
    existedBefore: boolean,
  ): Result {
    const { kind, replayed } = this.#traits
    const { differences, notCompared } = comparePayment(request, found)
    if (differences.length === 0) {
      const showsId = identify(kind, found, id).shows === 'asked' || holdsId(found, id)
      return replayed(found, id, [...(showsId ? [] : [idPathOf(kind)]), ...notCompared], existedBefore)
    }
    const idField = idFieldOf[kind]
    const { quoted, details } = this.#refusal(refused, call, id)
    throw new IdempotencyConflictError(
      `${paymentRoutes[kind].create}: ${idField} belongs to a ${kind} that differs in ${inWords(differences)} (409)${quoted}; that ${kind} exists and this request made no other, so retrieve it, and use a new id only if you mean a second ${kind}.`,
      {
        ...details,
        [idField]: id,
        outcome: 'accepted',
        status: conflictStatus,
        attempts: refused.attempts,
        differences: fieldsOf(differences),
      },
    )
  }

  #refusal(refused: GatewayResponse<Created>, call: Call, id: string) {
    return refusalDetails(refused, call, { [idFieldOf[this.#traits.kind]]: id })
  }

  #answered409(refused: GatewayResponse<Created>, call: Call, id: string): string {
    return `the create was answered 409 before${this.#refusal(refused, call, id).quoted}`
  }

  #lookUp(id: string, lane: Lane): GatewayRequest<Found> {
    const { kind } = this.#traits
    const { tokens, scopes } = this.#parts
    return {
      name: paymentMethods[kind].retrieve,
      method: 'GET',
      path: paymentPath(kind, id),
      route: paymentRoutes[kind].retrieve,
      lane,
      token: tokens.for(scopes.payment(kind, id)),
      shape: this.#foundShape,
      identify: (found) => this.#read(found, id, identify(kind, found, id)),
      about: { kind: 'read', payment: kind, id },
    }
  }

  /** Whoever has a found payment reads it as this client does; says where its status was looked for in vain. */
  #read(found: unknown, id: string, identity: Identity): Identity {
    if (!isObject(found)) return identity
    readBy(this.#reading, found)
    rememberId(found, id)
    warnOfUnlisted(found)
    if (statusOf(found) !== undefined) return identity
    return { ...identity, lacks: `${this.#reading.statusFields[0]}: no status found (${whereItStands})` }
  }
}

function inWords(differing: readonly Difference[]): string {
  return differing.map((one) => one.inWords).join(', ')
}

function fieldsOf(differing: readonly Difference[]): readonly string[] {
  return differing.map(({ field }) => field)
}
