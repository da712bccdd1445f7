import * as z from 'zod/mini'

/** An amount and its currency as the gateway carries them (section 2). */
export interface SandboxMoney {
  /** Decimal, in the currency's main unit. */
  readonly amount: number
  /** Three-letter currency code. */
  readonly currencyCode: string
}

const amount = 'must be a number above 0'
const code = 'must be a code of three letters'

export const moneySchema = z.object(
  {
    amount: z.number(amount).check(z.positive(amount)),
    // In capitals from here on: the specification says three letters, and not which.
    currencyCode: z.string(code).check(z.regex(/^[A-Za-z]{3}$/, code), z.toUpperCase()),
  },
  'must be an object',
)

export function sameMoney(a: SandboxMoney, b: SandboxMoney): boolean {
  return a.amount === b.amount && a.currencyCode === b.currencyCode
}
