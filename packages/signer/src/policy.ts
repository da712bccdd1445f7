import * as z from '../../../src/profile/zod-library.js'
import { amountForm } from './money.js'

/** What a signer signs. Amounts are decimal texts, `"1000.50"`, in the currency's main unit. */
export interface SignerPolicy {
  /** Where the JSON schema of this file is: `dist/signer-policy.schema.json` of this package. */
  readonly $schema?: string | undefined
  /** The version of this format. */
  readonly policyVersion: 1
  /** The merchant whose token requests are signed. */
  readonly merchantCode: string
  /** Whether tokens for single payins are signed: creating and reading one, and payment options. */
  readonly payins: boolean
  /** Further operations, by their exact text: `GET` of anything, and `POST /payins/.*`. Default: none. */
  readonly operations?: readonly string[] | undefined
  /** What may be paid out in each currency; one that is not there is refused. */
  readonly payouts: Readonly<Record<string, PayoutLimits>>
  /** When payouts are signed. Default: at any time. */
  readonly hours?: SignerHours | undefined
  /**
   * A file of the payouts that the ledger knows, one id a line, or id, amount and currency with tabs between them. A
   * payout that is not in it is refused. Default: ids are not asked for.
   */
  readonly ids?: string | undefined
  /** Where approvals stand, and whose they must be. Needed where a currency has `approvalAbove`. */
  readonly approvals?: SignerApprovals | undefined
  /** The longest `validitySecs` that is signed, in seconds. Default 900. */
  readonly mostValiditySecs?: number | undefined
  /** For how many seconds after its timestamp the gateway takes a token request. Default 300. */
  readonly timestampToleranceSecs?: number | undefined
  /** The unit of `timestamp`. Default `seconds`. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** How ids stand in operations. Default `percent-encoded`. */
  readonly idsInOperations?: 'percent-encoded' | 'decoded' | undefined
}

/** The limits of one currency. */
export interface PayoutLimits {
  /** The most in one payout. */
  readonly mostInOne: string
  /** The most in any hour. */
  readonly mostInHour: string
  /** The most in any 24 hours. */
  readonly mostInDay: string
  /** How many payouts in any hour. */
  readonly countInHour: number
  /** A payout of more than this needs an approval. Default: none does. */
  readonly approvalAbove?: string | undefined
}

/** Hours of the day, `08:00`; `from` after `to` goes over midnight. */
export interface SignerHours {
  /** The first minute. */
  readonly from: string
  /** The minute after the last one. */
  readonly to: string
  /** Such as `Europe/Vienna`. Default `UTC`. */
  readonly timeZone?: string | undefined
}

/** Who approves. */
export interface SignerApprovals {
  /** The file that `merchant-gateway signer approve` writes. */
  readonly file: string
  /** The number of the user who owns it, and alone may write to it: not the one that the signer runs as. */
  readonly uid: number
}

/** A text of a form, with what it must be, for whoever wrote another. */
const text = (form: RegExp, mustBe: string) => z.string(mustBe).check(z.regex(form, mustBe))

const amount = (description: string) =>
  text(amountForm, 'must be a decimal text such as "1000.50"').check(z.describe(description))

const path = (description: string) =>
  text(/^[^\0\r\n]+$/, 'must be the path of a file').check(z.describe(description))

const time = (description: string) =>
  text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "08:00"').check(z.describe(description))

const count = (least: number, most: number, description: string) => {
  const mustBe = `must be a whole number from ${least} to ${most}`
  return z.int(mustBe).check(z.gte(least, mustBe), z.lte(most, mustBe), z.describe(description))
}

const operation = text(
  /^(?:GET \/\S*|POST \/payins\/\.\*)$/,
  'must be "GET /…" or "POST /payins/.*": no other is let through by its text',
)

const zone = 'must be a time zone such as "Europe/Vienna"'

const hours = z
  .strictObject({
    from: time('The first minute.'),
    to: time('The minute after the last one; before `from`, it is of the next day.'),
    timeZone: z.optional(
      z
        .string(zone)
        .check(z.refine(isTimeZone, { error: zone }), z.describe('Such as Europe/Vienna. Default UTC.')),
    ),
  })
  .check(
    z.refine(
      ({ from, to }) => from !== to,
      'from and to are the same minute, so that no payout is ever signed',
    ),
    z.describe('When payouts are signed. Default: at any time.'),
  )

const approvals = z
  .strictObject({
    file: path('The file that "merchant-gateway signer approve" writes.'),
    uid: count(0, 4_294_967_294, 'The number of the user who owns it: not the one that the signer runs as.'),
  })
  .check(z.describe('Where approvals stand, and whose they must be.'))

const limits = z.strictObject({
  mostInOne: amount('The most in one payout.'),
  mostInHour: amount('The most in any hour.'),
  mostInDay: amount('The most in any 24 hours.'),
  countInHour: count(0, 1_000_000, 'How many payouts in any hour.'),
  approvalAbove: z.optional(amount('A payout of more than this needs an approval.')),
})

/** What policies are read by, and what their JSON schema is made of. A name that is not known is refused. */
export const policySchema: z.ZodMiniType<SignerPolicy> = z.strictObject({
  $schema: z.optional(z.string('must be a text')),
  policyVersion: z
    .literal(1, 'must be 1, the version of the format that this package knows')
    .check(z.describe('The version of this format.')),
  merchantCode: text(/^.{1,200}$/, 'must be a merchant code').check(
    z.describe('The merchant whose token requests are signed.'),
  ),
  payins: z
    .boolean('must be true or false')
    .check(z.describe('Whether tokens for single payins are signed, and for payment options.')),
  operations: z.optional(
    z.array(operation, 'must be a list').check(z.describe('Further operations, by their exact text.')),
  ),
  payouts: z
    .record(z.string().check(z.regex(/^[A-Z]{3}$/)), limits)
    .check(z.describe('What may be paid out in each currency; one that is not there is refused.')),
  hours: z.optional(hours),
  ids: z.optional(path('A file of the payouts that the ledger knows; others are refused.')),
  approvals: z.optional(approvals),
  mostValiditySecs: z.optional(count(1, 86_400, 'The longest validitySecs that is signed. Default 900.')),
  timestampToleranceSecs: z.optional(
    count(0, 86_400, 'For how long after its timestamp the gateway takes a token request. Default 300.'),
  ),
  timestampUnit: z.optional(z.enum(['seconds', 'milliseconds'], 'must be seconds or milliseconds')),
  idsInOperations: z.optional(z.enum(['percent-encoded', 'decoded'], 'must be percent-encoded or decoded')),
})

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
