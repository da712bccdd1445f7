import * as z from '../input/zod.js'

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
