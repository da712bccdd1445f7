import type { CallbackProfile, GatewayProfile } from '../../../../../src/client/profile/gateway-profile.js'
import type { CallbackDefaults } from '../callbacks/delivery.js'
import type { Payment } from '../payments/payment.js'
import { fill } from './fill-shape.js'
import { statusName } from './status-names.js'

/** Headers that the sender makes itself. */
const ofSender =
  /^(?:content-.*|host|connection|keep-alive|transfer-encoding|te|upgrade|expect|date|accept.*)$/

/** Method and headers of callbacks: a profile's, or the sandbox's own. */
export function callbackForm(profile: GatewayProfile | undefined): CallbackDefaults {
  const { method = 'POST', contentType, headers, body }: CallbackProfile = profile?.callbacks ?? {}
  const names = (headers ?? ['x-api-version']).filter((name) => !ofSender.test(name))
  return {
    method,
    // Seen without a body, a callback needs no type either.
    contentType: contentType ?? (headers !== undefined && body === undefined ? '' : 'application/json'),
    headers: Object.fromEntries(names.map((name) => [name, name === 'x-api-version' ? '2' : 'sandbox'])),
  }
}

/** The content of callbacks: a profile's shape, with what a payment has for it. */
export function callbackContent(profile: GatewayProfile): (payment: Payment) => unknown {
  const { body } = profile.callbacks ?? {}
  return (payment) => {
    if (body === undefined) return ''
    const { kind, id, money } = payment
    const place = profile[`${kind}s`]
    const status = place === undefined ? payment.status : statusName(payment.status, place)
    const ids = { id, idPayment: id, ...(kind === 'payin' ? { idPayin: id } : { idPayout: id }) }
    const filled = fill(body, { ...ids, status, money, ...money, kind, event: `${kind}.changed`, type: kind })
    return typeof filled === 'string' && body !== 'text' ? JSON.stringify(filled) : filled
  }
}
