import { IdempotencyConflictError } from '../errors.js'
import type { Call } from '../http/call.js'
import type { About } from '../http/failure.js'
import { grown } from '../http/outcome.js'
import type { GatewayRequest, GatewayResponse } from '../http/request.js'
import { refusalDetails } from '../http/response.js'
import { toError } from '../http/to-error.js'
import type { CallOptions } from '../input/call-options.js'
import { labelOf, routes } from '../routes.js'
import { idFieldOf, type PaymentCreateInput, type PaymentKind } from '../schemas/payment.js'
import { comparePayment, type Difference, differingMoney, isTied } from './compare.js'
import { holdsId, identify, idPath, isMixedUp, showsMoney, showsTest, whereItStands } from './identify.js'
import { lookupAfter409 } from './lookup.js'
import type { Payments } from './payments.js'
import { type PreparedCreate, paymentPath, prepareCreate } from './requests.js'
import type { PaymentLike } from './status.js'

const conflictStatus = 409

/** Checks the request, sends it, and after a 409 looks the payment up and compares it. */
export async function createPayment<Created extends object, Found extends PaymentLike, Result>(
  payments: Payments<Created, Found, Result>,
  input: PaymentCreateInput,
  options: CallOptions | undefined,
): Promise<Result> {
  const { kind, createdShape } = payments
  const { callbacks, http, liveGuard, maxIdLength, scopes, tokens } = payments.parts
  const prepared = prepareCreate(kind, input, options, (id) => callbacks.urlFor(kind, id), maxIdLength)
  const { id, givenId, body, money, callbackUrl } = prepared
  if (kind === 'payout') liveGuard.beforePayout(id)
  if (callbackUrl !== undefined) http.known.callbackUrls.add(callbackUrl)
  const request: GatewayRequest<Created> = {
    route: routes[kind].create,
    path: paymentPath(kind, id),
    about: { kind: 'create', payment: kind, id, isGiven: givenId },
    token: { tokens, scope: scopes.payment(kind, id, money) },
    body,
    shape: createdShape,
    identify: (created) => identify(kind, created, id),
    alsoResponse: conflictStatus,
  }
  // Not awaited here: while a call waits, it holds what was made of the input and not the input.
  return http.call(request, prepared.options, async (call) => {
    const response = await http.send(call, request)
    if ('failure' in response) throw toError(response)
    return response.value === undefined
      ? afterConflict(payments, prepared, call, request, response)
      : accepted(payments, prepared, call, response, response.value)
  })
}

function accepted<Created extends object, Found extends PaymentLike, Result>(
  payments: Payments<Created, Found, Result>,
  { id, money }: PreparedCreate,
  call: Call,
  { status, attempts }: GatewayResponse<Created>,
  created: Created,
): Result {
  const { kind } = payments
  const { liveGuard } = payments.parts
  call.watched?.created(false)
  if (showsTest(created, liveGuard.live)) throw liveGuard.refusal(kind, id, 'accepted')
  const differing = showsMoney(created, money) ? [] : differingMoney(money, created)
  if (differing.length === 0) return payments.accepted(created, id)
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
  const { kind, unseen } = payments
  const { http, liveGuard } = payments.parts
  const { id } = prepared
  call.watched?.created(true)
  const existedBefore = call.outcome === 'not-accepted'
  // The 409 proves that the payment exists, unless the lookup shows that answers got mixed up.
  call.outcome = grown(call.outcome, 'unknown')
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
    if (showsTest(found, liveGuard.live)) throw liveGuard.refusal(kind, id, 'accepted')
    const { differences, notCompared } = comparePayment(asked, found)
    if (differences.length > 0) throw conflict(kind, id, differences, refused, refusal())
    const showsId = identify(kind, found, id).shows === 'asked' || holdsId(found, id)
    return payments.replayed(found, id, [...(showsId ? [] : [idPath[kind]]), ...notCompared], existedBefore)
  }

  // Nothing bears the 409 out, and it may have been another's. No copy of it comes on a connection that is new.
  const second = await http.send(call, { ...request, connection: 'new' })
  if ('failure' in second) {
    const before = `the create was answered 409 before${refusal().quoted}, and the lookup showed nothing of the ${kind} (${whereItStands})`
    throw toError({ ...second, about: { ...about, before } })
  }
  if (second.value !== undefined) return accepted(payments, prepared, call, second, second.value)
  const payment = found ?? unseen?.()
  if (payment === undefined) throw new TypeError('a payment without anything to show for it')
  const { notCompared } = comparePayment(asked, {})
  return payments.replayed(payment, id, [idPath[kind], ...notCompared], existedBefore)
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
