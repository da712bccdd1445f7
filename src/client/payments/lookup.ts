import type { About } from '../http/failure.js'
import type { callbackFlow } from '../http/limit/fair-queue.js'
import type { GatewayRequest, Identity } from '../http/request.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { checkId } from '../input/payment-id.js'
import { isObject } from '../input/values.js'
import { routes } from '../routes.js'
import { idFieldOf } from '../schemas/payment.js'
import { identify, identifyAfter409, showsTest, whereItStands } from './identify.js'
import type { FoundPayments } from './payments.js'
import { type PaymentReading, readBy, rememberId } from './reading.js'
import { paymentPath } from './requests.js'
import { type PaymentLike, statusOf, warnOfStatus } from './status.js'

/** Whose status requests nobody waits for in person. */
export type BackgroundFlow = typeof callbackFlow | 'poll'

/** The payment as it is now. @param onSent called when the request goes out: it waits for no permit any more. */
export async function retrievePayment<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  options: CallOptions | undefined,
  flow?: BackgroundFlow,
  onSent?: () => void,
): Promise<Found> {
  const { kind, parts } = payments
  checkId(id, idFieldOf[kind], parts.maxIdLength)
  return lookUp(payments, id, checkCallOptions(options), flow, onSent)
}

export async function lookUp<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  options: CallOptions | undefined,
  flow?: BackgroundFlow,
  onSent?: () => void,
): Promise<Found> {
  const { kind, parts } = payments
  const { callbacks, http, liveGuard } = parts
  // Another process may have sent it: the response may quote it all the same.
  const callbackUrl = callbacks.urlFor(kind, id)
  if (callbackUrl !== undefined) http.known.callbackUrls.add(callbackUrl)
  const found = await http.request(lookupRequest(payments, id, flow), options, onSent)
  if (showsTest(found, liveGuard.live)) throw liveGuard.refusal(kind, id)
  return found
}

function lookupRequest<Found extends PaymentLike>(
  { kind, parts, foundShape, reading }: FoundPayments<Found>,
  id: string,
  flow?: BackgroundFlow,
): GatewayRequest<Found> {
  return {
    route: routes[kind].retrieve,
    path: paymentPath(kind, id),
    about: { kind: 'read', payment: kind, id },
    ...(flow === undefined ? {} : { priority: 'background', flow }),
    token: { tokens: parts.tokens, scope: parts.scopes.payment(kind, id) },
    shape: foundShape,
    identify: (found) => readFound(reading, found, id, identify(kind, found, id)),
  }
}

/** For what a create was answered 409 for, which may not be shown yet. @param about the create. */
export function lookupAfter409<Found extends PaymentLike>(
  payments: FoundPayments<Found>,
  id: string,
  about: About,
): GatewayRequest<Found> {
  const { kind, reading } = payments
  return {
    ...lookupRequest(payments, id),
    flow: routes[kind].create.name,
    about,
    // A payin may show no more than a status: left over from another one's lookup, it would be taken for this one's.
    ...(kind === 'payin' ? { connection: 'new' as const } : {}),
    retryNotFound: true,
    identify: (found) => readFound(reading, found, id, identifyAfter409(kind, found, id)),
  }
}

/** Whoever has a found payment reads it as this client does; says where its status was looked for in vain. */
function readFound(reading: PaymentReading, found: unknown, id: string, identity: Identity): Identity {
  if (!isObject(found)) return identity
  readBy(reading, found)
  rememberId(found, id)
  warnOfStatus(found)
  if (statusOf(found) !== undefined) return identity
  return { ...identity, lacks: `${reading.statusFields[0]}: no status found (${whereItStands})` }
}
