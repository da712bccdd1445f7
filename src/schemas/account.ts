import * as z from 'zod/mini'

/** A customer's bank account in a request (specification, section 2). */
export interface AccountInput {
  accountName?: string
  accountNumber?: string
}

/** A customer's bank account in a response (specification, section 2). */
export interface Account {
  accountName?: string
  accountNumber?: string
  /** Equals the code of the chosen payment operator. */
  bankCode?: string
  bankName?: string
}

export const accountSchema = z.looseObject({
  accountName: z.optional(z.string()),
  accountNumber: z.optional(z.string()),
  bankCode: z.optional(z.string()),
  bankName: z.optional(z.string()),
})
