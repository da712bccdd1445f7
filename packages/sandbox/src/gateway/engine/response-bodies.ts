import type { SandboxSettings } from '../normalise-options.js'
import type { SandboxOperator } from '../options.js'
import { type Balances, PAYOUT_FEE } from '../payments/balances.js'
import type { Payment } from '../payments/payment.js'

export interface ResponseBodies {
  payinCreated(payin: Payment): unknown
  payinDetails(payin: Payment): unknown
  payoutCreated(payout: Payment): unknown
  payoutStatus(payout: Payment): unknown
  customerAccount(payin: Payment): unknown
  paymentOptions(isSupported: boolean): unknown
  balances(balances: Balances, query: string): unknown
  currencies(balances: Balances): unknown
  paymentOperators(): unknown
  merchantInfo(channelName: string): unknown
}

/** Bodies by the option `strictness`: all that a gateway is likely to show, or only what the specification shows. */
export function createResponseBodies({
  strictness,
  payinStatusIn,
  payinMethods,
  paymentOperators,
}: SandboxSettings): ResponseBodies {
  const placeStatus = (status: object) => (payinStatusIn === 'top' ? status : { process: status })
  const answers = strictness === 'generous' ? generousAnswers : specifiedAnswers
  const options = payinMethods.map((paymentMethodCode) => ({ paymentMethodCode, paymentOperators }))
  return {
    ...answers(paymentOperators, placeStatus),
    paymentOptions: (isSupported) => ({ data: isSupported ? options : [] }),
  }
}

type OtherBodies = Omit<ResponseBodies, 'paymentOptions'>

/** Puts a payin's status into the body of a status request: in `process` or at the top, a gap of section 2. */
type PlaceStatus = (status: object) => object

function generousAnswers(operators: readonly SandboxOperator[], placeStatus: PlaceStatus): OtherBodies {
  const method = (payin: Payment) => {
    const { account, paymentOperatorCode: code } = payin.request
    return {
      ...payinMethod(payin, operators),
      ...(code === undefined ? {} : { paymentOperatorCode: code }),
      account: {
        // Where the payin names no account of the customer's, the account to pay into is shown.
        ...(account ?? { accountNumber: virtualAccount(payin.reference) }),
        ...bankOf(payin, operators),
      },
    }
  }
  return {
    ...specifiedAnswers(operators, placeStatus),
    payinCreated: (payin) => ({ ...requested(payin), paymentMethodResponse: method(payin) }),
    // As the payout's status and the create's response have it.
    payinDetails: (payin) => ({
      ...requested(payin),
      ...placeStatus(process(payin)),
      paymentMethodResponse: method(payin),
    }),
    customerAccount,
    balances: (balances, query) => ({ data: balances.list(query) }),
    currencies: ({ currencies }) => ({ data: currencies.map((currencyCode) => ({ currencyCode })) }),
    paymentOperators: () => ({ data: operators }),
  }
}

/**
 * The fields of section 2. It shows no field for the status request of a payin; the status is there all the same, because
 * section 1 lets a merchant read it there and section 3 calls it `process.status`. Where the specification
 * shows nothing of a body, the body is `{}`.
 */
function specifiedAnswers(operators: readonly SandboxOperator[], placeStatus: PlaceStatus): OtherBodies {
  return {
    payinCreated: (payin) => ({
      ...requested(payin),
      paymentMethodResponse: payinMethod(payin, operators),
    }),
    payinDetails: ({ status }) => placeStatus({ status }),
    payoutCreated: (payout) => ({ ...requested(payout), paymentMethodResponse: payoutMethod(payout) }),
    // Section 2 shows no account here.
    payoutStatus: (payout) => ({
      ...requested(payout),
      process: process(payout),
      fee: { amount: PAYOUT_FEE, currencyCode: payout.money.currencyCode },
      paymentMethodResponse: payoutMethod(payout),
    }),
    customerAccount: () => ({}),
    balances: () => ({}),
    currencies: () => ({}),
    paymentOperators: () => ({}),
    merchantInfo: (name) => ({ channelInfo: { name } }),
  }
}

/** A gap. Section 1 has the account of the request at once, and that of the payment process after success. */
function customerAccount(payin: Payment): unknown {
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

function payinMethod(payin: Payment, operators: readonly SandboxOperator[]): object {
  const { account, returnUrl } = payin.request
  return {
    idPayin: payin.id,
    paymentMethodCode: payin.paymentMethodCode,
    account: { ...account, ...bankOf(payin, operators) },
    money: payin.money,
    expireAt: payin.expireAt,
    reference: payin.reference,
    ...(returnUrl === undefined ? {} : { returnUrl }),
  }
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
