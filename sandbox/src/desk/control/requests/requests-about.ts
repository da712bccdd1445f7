import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { PaymentKind } from '../../../gateway/payments/payment.js'

/** The requests for a payment, and those that made the tokens which came with them. */
export function requestsAbout(
  { kind, id }: { readonly kind: PaymentKind; readonly id: string },
  log: readonly LoggedRequest[],
): LoggedRequest[] {
  const own = new Set(log.filter((request) => (kind === 'payin' ? request.idPayin : request.idPayout) === id))
  const tokens = new Set([...own].map(({ grant }) => grant?.idToken).filter(Boolean))
  return log.filter(
    (request) => own.has(request) || (isMint(request) && tokens.has(request.grant?.idToken ?? '')),
  )
}

/** Whether a request asks for a token. */
export function isMint({ route }: LoggedRequest): boolean {
  return route === 'POST /auth-tokens' || route === 'POST /auth-tokens-by-action'
}
