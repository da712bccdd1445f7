import type { SandboxSettings } from '../normalise-options.js'
import type { SandboxOperator } from '../options.js'
import { type Balances, PAYOUT_FEE } from '../payments/balances.js'
import type { Payment } from '../payments/payment.js'

export type ResponseBodies = ReturnType<typeof createResponseBodies>

/**
 * Bodies by the option `strictness`: all that a gateway is likely to show, or only what the specification shows. That
 * shows no field for the status request of a payin; the status is there all the same, because section 1 lets a merchant
 * read it there and section 3 calls it `process.status`. Where it shows nothing of a body, the body is `{}`.
 */
export function createResponseBodies({
  strictness,
  payinStatusIn,
  payinMethods,
  paymentOperators: operators,
}: SandboxSettings) {
  const isGenerous = strictness === 'generous'
  /** In `process` or at the top, a gap of section 2. */
  const placeStatus = (status: object) => (payinStatusIn === 'top' ? status : { process: status })
  const generously = (body: object) => (isGenerous ? body : {})
  const options = payinMethods.map((paymentMethodCode) => ({
    paymentMethodCode,
    paymentOperators: operators,
  }))
  const payinMethod = (payin: Payment) => {
    const { account, returnUrl, paymentOperatorCode } = payin.request
    // Where the payin names no account of the customer's, the account to pay into is shown.
    const shown = account ?? generously({ accountNumber: virtualAccount(payin.reference) })
    return {
      idPayin: payin.id,
      paymentMethodCode: payin.paymentMethodCode,
      account: { ...shown, ...bankOf(payin, operators) },
      money: payin.money,
      expireAt: payin.expireAt,
      reference: payin.reference,
      ...(returnUrl === undefined ? {} : { returnUrl }),
      ...(paymentOperatorCode === undefined ? {} : generously({ paymentOperatorCode })),
    }
  }
  const payinBody = (payin: Payment) => ({ ...requested(payin), paymentMethodResponse: payinMethod(payin) })
  return {
    payinCreated: payinBody,
    // As the payout's status and the create's response have it.
    payinDetails: (payin: Payment) =>
      isGenerous
        ? { ...payinBody(payin), ...placeStatus(process(payin)) }
        : placeStatus({ status: payin.status }),
    payoutCreated: (payout: Payment) => ({
      ...requested(payout),
      paymentMethodResponse: payoutMethod(payout),
    }),
    // Section 2 shows no account here.
    payoutStatus: (payout: Payment) => ({
      ...requested(payout),
      process: process(payout),
      fee: { amount: PAYOUT_FEE, currencyCode: payout.money.currencyCode },
      paymentMethodResponse: payoutMethod(payout),
    }),
    customerAccount: (payin: Payment) => generously(customerAccount(payin)),
    paymentOptions: (isSupported: boolean) => ({ data: isSupported ? options : [] }),
    balances: (balances: Balances, query: string) => generously({ data: balances.list(query) }),
    currencies: ({ currencies }: Balances) =>
      generously({ data: currencies.map((currencyCode) => ({ currencyCode })) }),
    paymentOperators: () => generously({ data: operators }),
    merchantInfo: (name: string) => ({ channelInfo: { name } }),
  }
}

/** A gap. Section 1 has the account of the request at once, and that of the payment process after success. */
function customerAccount(payin: Payment): object {
  const { account, emailAddress } = payin.request
  const fromRequest = { account: account ?? null, emailAddress: emailAddress ?? null }
  return {
    idPayin: payin.id,
    paymentRequest: fromRequest,
    paymentProcess: payin.hasSucceeded ? { account: account ?? null } : null,
  }
}

function requested({ money }: Payment): object {
  return { paymentRequested: { money } }
}

function process(payment: Payment): object {
  const { status, createdAt, processedAt } = payment
  return { status, createdAt, ...(processedAt === undefined ? {} : { processedAt }), isTest: true }
}

/** A bankCode equals the operator that was chosen (section 2). */
function bankOf({ request }: Payment, operators: readonly SandboxOperator[]): object {
  const { paymentOperatorCode: bankCode } = request
  if (bankCode === undefined) return {}
  const bankName = operators.find(({ code }) => code === bankCode)?.name
  return { bankCode, ...(bankName === undefined ? {} : { bankName }) }
}

/** The specification calls a reference that of a virtual account, and leaves its form open (section 2). */
function virtualAccount(reference: string): string {
  return `90${reference}`
}

function payoutMethod(payout: Payment): object {
  return { paymentMethodCode: payout.paymentMethodCode, idPayout: payout.id }
}
