import { PAYOUT_FEE, type SandboxOperator } from './code-lists.js'
import type { Payment } from './payment.js'

/** Section 2, payin create response. */
export function payinCreated(payin: Payment, operators: readonly SandboxOperator[]): unknown {
  return {
    paymentRequested: { money: payin.money },
    paymentMethodResponse: payinMethod(payin, operators),
  }
}

/** The response of GET /payins/{idPayin} is a gap: it mirrors the payout status and the create response. */
export function payinDetails(payin: Payment, operators: readonly SandboxOperator[]): unknown {
  return {
    paymentRequested: { money: payin.money },
    process: process(payin),
    paymentMethodResponse: payinMethod(payin, operators),
  }
}

/** Section 2, payout create response. */
export function payoutCreated(payout: Payment): unknown {
  return {
    paymentRequested: { money: payout.money },
    paymentMethodResponse: payoutMethod(payout),
  }
}

/** Section 2, payout status response; it shows no account. */
export function payoutStatus(payout: Payment): unknown {
  return {
    paymentRequested: { money: payout.money },
    process: process(payout),
    fee: { amount: PAYOUT_FEE, currencyCode: payout.money.currencyCode },
    paymentMethodResponse: payoutMethod(payout),
  }
}

/**
 * The customer account record is a gap. Section 1 says that there are two: the one from the request, there
 * shortly after creation, and the one from the payment process, there after the payment has succeeded.
 */
export function customerAccount(payin: Payment): unknown {
  const { account, emailAddress } = payin.request
  const fromRequest = { account: account ?? null, emailAddress: emailAddress ?? null }
  return {
    idPayin: payin.id,
    paymentRequest: fromRequest,
    paymentProcess: payin.hasSucceeded ? { account: account ?? null } : null,
  }
}

/** Section 2, payment option list. The only method that a payin is known to have is VAPAY. */
export function paymentOptions(operators: readonly SandboxOperator[], isSupported: boolean): unknown {
  return { data: isSupported ? [{ paymentMethodCode: 'VAPAY', paymentOperators: operators }] : [] }
}

function process(payment: Payment): unknown {
  const { status, createdAt, processedAt } = payment
  return { status, createdAt, ...(processedAt === undefined ? {} : { processedAt }), isTest: true }
}

function payinMethod(payin: Payment, operators: readonly SandboxOperator[]): unknown {
  const { account, paymentOperatorCode: code, returnUrl } = payin.request
  const bankName = operators.find((operator) => operator.code === code)?.name
  return {
    idPayin: payin.id,
    paymentMethodCode: payin.paymentMethodCode,
    ...(code === undefined ? {} : { paymentOperatorCode: code }),
    account: {
      // Of a payin that names no account of the customer's, the one to pay into is shown.
      ...(account ?? { accountNumber: virtualAccount(payin.reference) }),
      ...(code === undefined ? {} : { bankCode: code }),
      ...(bankName === undefined ? {} : { bankName }),
    },
    money: payin.money,
    expireAt: payin.expireAt,
    reference: payin.reference,
    ...(returnUrl === undefined ? {} : { returnUrl }),
  }
}

/** The specification calls a reference that of a virtual account, and leaves its form open (section 2). */
function virtualAccount(reference: string): string {
  return `90${reference}`
}

function payoutMethod(payout: Payment): unknown {
  return { paymentMethodCode: payout.paymentMethodCode, idPayout: payout.id }
}
