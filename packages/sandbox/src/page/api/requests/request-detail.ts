import type { SandboxParts } from '../../../gateway/assemble.js'
import type { Scope } from '../../../gateway/auth/scope.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import { isFromPage } from '../actions/client.js'
import type { Mask } from '../mask.js'
import { shownHeaders } from '../payments/entries.js'
import { amountText } from '../text.js'
import { paymentOf, requestMeaning, requestRow } from './request-row.js'

export type ShownMessage = ReturnType<typeof shown>
export type RequestDetail = ReturnType<typeof requestDetail>

export function requestDetail(request: LoggedRequest, { ledger }: SandboxParts, mask: Mask) {
  const { route = null, headers, sentAnswer, grant } = request
  const meaning = requestMeaning(request, ledger, mask)
  const payment = paymentOf(request, mask)
  return {
    ...requestRow(request, meaning, mask),
    fix: meaning.fix,
    /** Whether a magic value in it asked for the fault. */
    isMagic: request.isMagic,
    route,
    isFromPage: isFromPage(headers),
    /** What its token allows; never the token. */
    scope:
      grant === undefined
        ? null
        : {
            /** Whether this request made the token, or carried it. */
            isMade: request.isMint,
            allows: scopeLines(grant.scope).map((line) => mask.text(line)),
            expiresAt: grant.expiresAtMs,
          },
    request: shown(headers, request.bodyBytes, mask),
    /** Null while there is none. */
    response: sentAnswer === undefined ? null : shown(sentAnswer.headers, Buffer.from(sentAnswer.body), mask),
    isPaymentHeld: payment !== null && ledger.store(payment.kind).find(payment.id) !== undefined,
  }
}

function shown(headers: Readonly<Record<string, string>>, body: Uint8Array, mask: Mask) {
  return { headers: shownHeaders(headers, mask), body: mask.body(body) }
}

function scopeLines({ action, idPayment, operations = [], money }: Scope): string[] {
  const lines = [...operations]
  if (action !== undefined) lines.unshift(`${action} for ${idPayment ?? ''}`)
  if (money !== undefined) {
    lines.push(`only for ${amountText(money.amount, money.currencyCode)} ${money.currencyCode}`)
  }
  return lines
}
