import * as z from '../input/zod.js'
import { type Money, type MoneyInput, moneySchema } from './money.js'

/** The two kinds of payment. Everything that differs between them on the wire follows from these. */
export type PaymentKind = 'payin' | 'payout'

/** The field that holds the id, in requests, responses and errors. */
export const idFieldOf = { payin: 'idPayin', payout: 'idPayout' } as const

/** Status of a payment. The specification names only SUCCESS (section 3); every string may come. */
export type PaymentStatus = 'SUCCESS' | (string & {})

/** Code of a payin's method. The specification names only VAPAY (section 2); every string may come. */
export type PayinMethodCode = 'VAPAY' | (string & {})

/** Code of a payout's method. The specification names only BANK_TRANSFER (section 2); every string may come. */
export type PayoutMethodCode = 'BANK_TRANSFER' | (string & {})

/** A customer's bank account in a request (specification, section 2). */
export interface AccountInput {
  /** Name of whom the account belongs to. */
  accountName?: string | undefined
  /** Account number as the bank writes it. The specification shows no format. */
  accountNumber?: string | undefined
  /** Fields of a newer gateway that this version doesn't know (specification, section 9): sent beside the others. */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** A customer's bank account in a response (specification, section 2). */
export interface Account {
  /** Name of whom the account belongs to. */
  accountName?: string | null
  /** Account number as the bank writes it. The specification shows no format. */
  accountNumber?: string | null
  /** Payin responses only: equals the code of the chosen payment operator. */
  bankCode?: string | null
  /** Payin responses only: name of the bank. */
  bankName?: string | null
}

export const accountSchema = z.looseObject({
  accountName: z.nullish(z.string()),
  accountNumber: z.nullish(z.string()),
  bankCode: z.nullish(z.string()),
  bankName: z.nullish(z.string()),
})

/** What the payment is to be made with (specification, section 2). */
export interface PaymentMethodInput {
  /** Code of the method: `VAPAY` for payins, `BANK_TRANSFER` for payouts, or another one of the gateway. */
  paymentMethodCode: string
  /** Code of the operator (bank): for payins one of those that `payins.paymentOptions` lists. */
  paymentOperatorCode?: string | undefined
  /** The customer's bank account; of payouts, where the money goes. */
  account?: AccountInput | undefined
  /** The customer's e-mail address. */
  emailAddress?: string | undefined
  /**
   * Fields of a newer gateway that this version doesn't know: sent beside the others. The gateway may add
   * optional ones (specification, section 9).
   */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** The money that is asked for in a create request (specification, section 2). */
export interface PaymentRequestedInput {
  /** Amount and currency. */
  money: MoneyInput
  /**
   * Fields of a newer gateway that this version doesn't know: sent beside the others. The gateway may add
   * optional ones (specification, section 9).
   */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** What payins and payouts have in common in a create request. */
export interface PaymentCreateInput {
  /** How much. */
  paymentRequested: PaymentRequestedInput
  /** By which way. */
  paymentMethod: PaymentMethodInput
  /**
   * URL where the gateway reports that the status changed (specification, section 6). Default: that of
   * the `CallbackReceiver` that is attached to the client, if there is one.
   */
  callbackUrl?: string | undefined
  /**
   * Fields of a newer gateway that this version doesn't know: sent beside the others. The gateway may add
   * optional ones (specification, section 9).
   */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** Where a payment stands (specification, section 2, payout status response). */
export interface PaymentProcess {
  /** `SUCCESS`, or a status that the specification does not name (section 3). */
  status: PaymentStatus
  /** When the gateway accepted the payment: ISO 8601, UTC. */
  createdAt?: string | null
  /** When it was processed: ISO 8601, UTC. */
  processedAt?: string | null
  /** Whether it is a test payment. */
  isTest?: boolean | null
}

export const paymentRequestedSchema = z.looseObject({ money: moneySchema })

export const processSchema = z.looseObject({
  status: z.code<'SUCCESS'>(),
  createdAt: z.nullish(z.string()),
  processedAt: z.nullish(z.string()),
  isTest: z.nullish(z.boolean()),
})

/** The money that was asked for. */
export interface PaymentRequested {
  /** Amount and currency, as in the request. */
  money: Money
}
