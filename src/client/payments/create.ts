import { IdempotencyConflictError } from '../errors.js'
import type { Call, CallLimits } from '../http/call.js'
import type { About } from '../http/failure.js'
import type { GatewayRequest, GatewayResponse } from '../http/request.js'
import { refusalDetails } from '../http/response.js'
import { toError } from '../http/to-error.js'
import type { CallOptions } from '../input/call-options.js'
import { field } from '../input/values.js'
import { labelOf, routes } from '../routes.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { comparePayment, type Difference, differingMoney, isTied } from './compare.js'
import { holdsId, identify, idPathOf, isMixedUp, whereItStands } from './identify.js'
import { lookupAfter409 } from './lookup.js'
import type { Payments } from './payments.js'
import { type PreparedCreate, paymentPath, prepareCreate } from './requests.js'
import type { PaymentLike } from './status.js'

const conflictStatus = 409

/**
 * The idempotent create: checks the request, sends it, and after a 409 looks the payment up and compares it. Resolves to
 * the payment, accepted now or before; rejects with a conflict, a refusal, or an unknown outcome.
 */
export async function createPayment<Created extends object, Found extends PaymentLike, Result>(
  payments: Payments<Created, Found, Result>,
  request: PaymentCreateInput,
  options: CallOptions | undefined,
): Promise<Result> {
  const { kind } = payments.traits
  const { callbacks, http, liveGuard, maxIdLength } = payments.parts
  const prepared = prepareCreate(kind, request, options, (id) => callbacks.urlFor(kind, id), maxIdLength)
  if (kind === 'payout') liveGuard.beforePayout(prepared.id)
  if (prepared.callbackUrl !== undefined) http.known.callbackUrls.add(prepared.callbackUrl)
  // Not awaited here: while a call waits, it holds what was made of the request and not the request.
  return send(payments, prepared, http.limits(prepared.options))
}

function send<Created extends object, Found extends PaymentLike, Result>(
  payments: Payments<Created, Found, Result>,
  prepared: PreparedCreate,
  limits: CallLimits,
): Promise<Result> {
  const { http } = payments.parts
  const request = createRequest(payments, prepared)
  return http.call(request, limits, async (call) => {
    const response = await http.send(call, request)
    if ('failure' in response) throw toError(response)
    return isAccepted(response)
      ? accepted(payments, prepared, call, response)
      : afterConflict(payments, prepared, call, request, response)
  })
}

function createRequest<Created extends object, Found extends PaymentLike, Result>(
  { traits, parts }: Payments<Created, Found, Result>,
  { id, givenId, body, requested }: PreparedCreate,
): GatewayRequest<Created> {
  const { kind, createdShape } = traits
  return {
    route: routes[kind].create,
    path: paymentPath(kind, id),
    about: { kind: 'create', payment: kind, id, isGiven: givenId },
    priority: 'customer',
    token: parts.tokens.for(parts.scopes.payment(kind, id, field(requested, 'money'))),
    body,
    shape: createdShape,
    identify: (created) => identify(kind, created, id),
    alsoResponse: conflictStatus,
  }
}

interface AcceptedResponse<Created> extends GatewayResponse<Created> {
  readonly value: Created
}

/** Not the 409. */
function isAccepted<Created>(response: GatewayResponse<Created>): response is AcceptedResponse<Created> {
  return response.value !== undefined
}

/** The gateway has accepted it now: with this money? */
function accepted<Created extends object, Found extends PaymentLike, Result>(
  { traits, parts }: Payments<Created, Found, Result>,
  { id, requested }: PreparedCreate,
  call: Call,
  { value, status, attempts }: AcceptedResponse<Created>,
): Result {
  const { kind } = traits
  call.watched?.created(false)
  parts.liveGuard.check(kind, id, value, 'accepted')
  const differing = differingMoney(requested, value)
  if (differing.length === 0) return traits.accepted(value, id)
  // Accepted, and yet not what was asked for: no caller may book it as that.
  throw new IdempotencyConflictError(
    `${labelOf(routes[kind].create)}: the gateway accepted this ${kind} and shows other money than was asked for (${status}): ${inWords(differing)}; that ${kind} exists, so retrieve it, and never create it under another id.`,
    { [idFieldOf[kind]]: id, outcome: 'accepted', status, attempts, differences: fieldsOf(differing) },
  )
}

/** A 409: the gateway has a payment under this id. This very one, or another? */
async function afterConflict<Created extends object, Found extends PaymentLike, Result>(
  payments: Payments<Created, Found, Result>,
  prepared: PreparedCreate,
  call: Call,
  request: GatewayRequest<Created>,
  refused: GatewayResponse<Created>,
): Promise<Result> {
  const { traits, parts } = payments
  const { kind, unseen } = traits
  const { http, liveGuard } = parts
  const { id } = prepared
  call.watched?.created(true)
  const existedBefore = call.outcome === 'not-accepted'
  // The 409 proves that the payment exists, unless the lookup shows that answers got mixed up.
  call.learn('unknown')
  const about: About = { kind: 'create', payment: kind, id, isGiven: true }
  const refusal = () => refusalDetails(refused, call, { [idFieldOf[kind]]: id })
  // The caller may reuse its object meanwhile: what was sent is what is compared.
  const asked: PaymentCreateInput = JSON.parse(prepared.body)

  const lookUp = await http.send(call, lookupAfter409(payments, id, about))
  if ('failure' in lookUp && !isMixedUp(lookUp.failure)) {
    const before = `the create was answered 409 before${refusal().quoted}`
    throw toError({ ...lookUp, outcome: 'accepted', about: { ...about, before } })
  }
  if ('failure' in lookUp && unseen === undefined) throw toError(lookUp)
  const found = 'failure' in lookUp ? undefined : lookUp.value
  if (found !== undefined && (unseen === undefined || isTied(found, id, asked))) {
    liveGuard.check(kind, id, found, 'accepted')
    const { differences, notCompared } = comparePayment(asked, found)
    if (differences.length > 0) throw conflict(kind, id, differences, refused, refusal())
    const showsId = identify(kind, found, id).shows === 'asked' || holdsId(found, id)
    return traits.replayed(found, id, [...(showsId ? [] : [idPathOf(kind)]), ...notCompared], existedBefore)
  }

  // Nothing bears the 409 out, and it may have been another's. No copy of it comes on a connection that is new.
  const second = await http.send(call, { ...request, connection: 'new' })
  if ('failure' in second) {
    const before = `the create was answered 409 before${refusal().quoted}, and the lookup showed nothing of the ${kind} (${whereItStands})`
    throw toError({ ...second, about: { ...about, before } })
  }
  if (isAccepted(second)) return accepted(payments, prepared, call, second)
  const payment = found ?? unseen?.()
  if (payment === undefined) throw new TypeError('a payment without anything to show for it')
  const { notCompared } = comparePayment(asked, {})
  return traits.replayed(payment, id, [idPathOf(kind), ...notCompared], existedBefore)
}

function conflict(
  kind: PaymentKind,
  id: string,
  differences: readonly Difference[],
  { attempts }: GatewayResponse<unknown>,
  { quoted, details }: ReturnType<typeof refusalDetails>,
): IdempotencyConflictError {
  const idField = idFieldOf[kind]
  return new IdempotencyConflictError(
    `${labelOf(routes[kind].create)}: ${idField} belongs to a ${kind} that differs in ${inWords(differences)} (409)${quoted}; that ${kind} exists and this request made no other, so retrieve it, and use a new id only if you mean a second ${kind}.`,
    {
      ...details,
      [idField]: id,
      outcome: 'accepted',
      status: conflictStatus,
      attempts,
      differences: fieldsOf(differences),
    },
  )
}

function inWords(differing: readonly Difference[]): string {
  return differing.map((one) => one.inWords).join(', ')
}

function fieldsOf(differing: readonly Difference[]): readonly string[] {
  return differing.map(({ field }) => field)
}
