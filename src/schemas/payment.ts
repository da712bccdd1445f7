import * as z from 'zod/mini'
import type { AccountInput } from './account.js'
import { type Money, type MoneyInput, moneySchema } from './money.js'

/** Status of a payment. The specification names only SUCCESS (section 3); every string may come. */
export type PaymentStatus = 'SUCCESS' | (string & {})

/** What the payment is to be made with (specification, section 2). */
export interface PaymentMethodInput {
  /** For example `VAPAY` for payins, `BANK_TRANSFER` for payouts. */
  paymentMethodCode: string
  /** One of the operator codes of `payins.paymentOptions`. */
  paymentOperatorCode?: string
  /** The customer's bank account. */
  account?: AccountInput
  /** The customer's e-mail address. */
  emailAddress?: string
  /** Fields that this version doesn't know travel on. */
  [field: string]: unknown
}

/** What payins and payouts have in common in a create request. */
export interface PaymentCreateInput {
  paymentRequested: { money: MoneyInput; [field: string]: unknown }
  paymentMethod: PaymentMethodInput
  /** Where the gateway reports that the status changed. */
  callbackUrl?: string
  /** Fields that this version doesn't know travel on. */
  [field: string]: unknown
}

/** Where a payment stands (specification, section 2, payout status response). */
export interface PaymentProcess {
  status: PaymentStatus
  /** ISO 8601, UTC. */
  createdAt?: string
  /** ISO 8601, UTC. */
  processedAt?: string
  /** Whether it is a test payment. */
  isTest?: boolean
}

export const paymentRequestedSchema = z.looseObject({ money: moneySchema })

export const processSchema = z.looseObject({
  status: z.string(),
  createdAt: z.optional(z.string()),
  processedAt: z.optional(z.string()),
  isTest: z.optional(z.boolean()),
})

/** The money that was asked for. */
export interface PaymentRequested {
  money: Money
}
