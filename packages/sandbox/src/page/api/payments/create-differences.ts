import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { PaymentKind } from '../../../gateway/payments/payment.js'
import { differencesOf, type PaymentRequest, parseCreate } from '../../../gateway/payments/payment-request.js'
import { parseObject } from '../../../gateway/wire/json-body.js'

/** In what a create that met 409 differs from the payment with its id; undefined where that can't be said. */
export function createDifferences(request: LoggedRequest, ledger: Ledger): readonly string[] | undefined {
  if (request.verdict !== 'ALREADY_ACCEPTED' || request.id === undefined) return undefined
  const payment = ledger.store(kindOf(request)).find(request.id)
  const asked = requestOf(request)
  return payment && asked && differencesOf(payment.request, asked)
}

/** What a create asks for; undefined for other requests, and for a body that is none of a create. */
export function requestOf(request: LoggedRequest): PaymentRequest | undefined {
  if (request.route !== 'POST /payins/{idPayin}' && request.route !== 'POST /payouts/{idPayout}')
    return undefined
  try {
    return parseCreate(kindOf(request), parseObject(request.bodyBytes))
  } catch {
    return undefined
  }
}

function kindOf({ idPayin }: LoggedRequest): PaymentKind {
  return idPayin === undefined ? 'payout' : 'payin'
}
