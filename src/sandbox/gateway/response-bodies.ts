import { type Balances, PAYOUT_FEE } from '../payments/balances.js'
import type { SandboxOperator } from '../payments/operators.js'
import type { Payment } from '../payments/payment.js'

/** The bodies of what the gateway says yes to. */
export interface Answers {
  payinCreated(payin: Payment): unknown
  payinDetails(payin: Payment): unknown
  payoutCreated(payout: Payment): unknown
  payoutStatus(payout: Payment): unknown
  customerAccount(payin: Payment): unknown
  paymentOptions(isSupported: boolean): unknown
  balances(balances: Balances, query: string): unknown
  currencies(balances: Balances): unknown
  paymentOperators(): unknown
}

/** What a sandbox shows, and where. */
export interface AnswerSettings {
  readonly strictness: 'specification' | 'generous'
  readonly payinStatusIn: 'process' | 'top'
  readonly paymentOperators: readonly SandboxOperator[]
}

/** Everything that a gateway is likely to show, or only what the specification does. */
export function createAnswers({ strictness, payinStatusIn, paymentOperators }: AnswerSettings): Answers {
  const stand = (life: object) => (payinStatusIn === 'top' ? life : { process: life })
  return strictness === 'generous'
    ? generousAnswers(paymentOperators, stand)
    : specifiedAnswers(paymentOperators, stand)
}

/** Puts where a payin stands into the answer to its look-up; where it belongs is a gap of section 2. */
type Stand = (life: object) => object

function generousAnswers(operators: readonly SandboxOperator[], stand: Stand): Answers {
  const method = (payin: Payment) => {
    const { account, paymentOperatorCode: code } = payin.request
    return {
      ...payinMethod(payin, operators),
      ...(code === undefined ? {} : { paymentOperatorCode: code }),
      account: {
        // Of a payin that names no account of the customer's, the one to pay into is shown.
        ...(account ?? { accountNumber: virtualAccount(payin.reference) }),
        ...bankOf(payin, operators),
      },
    }
  }
  return {
    ...specifiedAnswers(operators, stand),
    payinCreated: (payin) => ({ ...requested(payin), paymentMethodResponse: method(payin) }),
    // It mirrors the payout status and the create response.
    payinDetails: (payin) => ({
      ...requested(payin),
      ...stand(process(payin)),
      paymentMethodResponse: method(payin),
    }),
    customerAccount,
    balances: (balances, query) => ({ data: balances.list(query) }),
    currencies: ({ currencies }) => ({ data: currencies.map((currencyCode) => ({ currencyCode })) }),
    paymentOperators: () => ({ data: operators }),
  }
}

/**
 * The fields of section 2. Of a payin that is looked up it shows none: what a merchant can't do without is the
 * status, which section 1 has it read there and section 3 calls `process.status`. An answer of which nothing is
 * shown is an object that holds nothing.
 */
function specifiedAnswers(operators: readonly SandboxOperator[], stand: Stand): Answers {
  return {
    payinCreated: (payin) => ({
      ...requested(payin),
      paymentMethodResponse: payinMethod(payin, operators),
    }),
    payinDetails: ({ status }) => stand({ status }),
    payoutCreated: (payout) => ({ ...requested(payout), paymentMethodResponse: payoutMethod(payout) }),
    // It shows no account.
    payoutStatus: (payout) => ({
      ...requested(payout),
      process: process(payout),
      fee: { amount: PAYOUT_FEE, currencyCode: payout.money.currencyCode },
      paymentMethodResponse: payoutMethod(payout),
    }),
    customerAccount: () => ({}),
    // The only method that a payin is known to have is VAPAY.
    paymentOptions: (isSupported) => ({
      data: isSupported ? [{ paymentMethodCode: 'VAPAY', paymentOperators: operators }] : [],
    }),
    balances: () => ({}),
    currencies: () => ({}),
    paymentOperators: () => ({}),
  }
}

/**
 * The customer account record is a gap. Section 1 says that there are two: the one from the request, there
 * shortly after creation, and the one from the payment process, there after the payment has succeeded.
 */
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
