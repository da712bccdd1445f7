import { ConfigurationError } from 'merchant-gateway'
import * as z from 'zod/mini'
import { amountForm } from './money.js'

/** What a signer signs. Amounts are decimal texts, `"1000.50"`, in the main unit of the currency. */
export interface SignerPolicy {
  /** The version of this format. */
  readonly policyVersion: 1
  /** The merchant whose token requests are signed. */
  readonly merchantCode: string
  /** Whether tokens for single payins are signed: to create one, to read one, and for payment options. */
  readonly payins: boolean
  /** Further operations, by their exact text: `GET` of anything, and `POST /payins/.*`. Default: none. */
  readonly operations?: readonly string[] | undefined
  /** What may be paid out in each currency; a currency that is not there is refused. */
  readonly payouts: Readonly<Record<string, PayoutLimits>>
  /** When payouts are signed: from `08:00` to the minute before `20:00`. `timeZone` is UTC by default. Default: always. */
  readonly hours?:
    | { readonly from: string; readonly to: string; readonly timeZone?: string | undefined }
    | undefined
  /**
   * The file that `merchant-gateway-signer approve` writes, and the number of the user who owns it and alone may write
   * to it: not the user that the signer runs as. Needed where a currency has `approvalAbove`.
   */
  readonly approvals?: { readonly file: string; readonly uid: number } | undefined
  /** The longest `validitySecs` that is signed, in seconds. Default 900. */
  readonly mostValiditySecs?: number | undefined
  /** For how many seconds after its timestamp the gateway takes a token request. Default 300. */
  readonly timestampToleranceSecs?: number | undefined
  /** The unit of `timestamp`. Default `seconds`. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | undefined
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

/** A text of a form, with what it must be, for whoever wrote another. */
const text = (form: RegExp, mustBe: string) => z.string(mustBe).check(z.regex(form, mustBe))
const amount = text(amountForm, 'must be a decimal text such as "1000.50"')
const time = text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "08:00"')
const zone = z.string().check(z.refine(isTimeZone, 'must be a time zone such as "Europe/Vienna"'))
const file = text(/^[^\0\r\n]+$/, 'must be the path of a file')
const count = (least: number, most: number) => {
  const mustBe = `must be a whole number from ${least} to ${most}`
  return z.int(mustBe).check(z.gte(least, mustBe), z.lte(most, mustBe))
}

/** The gateway reads the path as a regular expression, and behind a `|` anything could stand. */
const operation = text(
  /^(?:GET \/[^\s|]*|POST \/payins\/\.\*)$/,
  'must be "GET /…" without a "|", or "POST /payins/.*": no other operation is allowed by its text',
)

const limits = z.strictObject({
  mostInOne: amount,
  mostInHour: amount,
  mostInDay: amount,
  countInHour: count(0, 1_000_000),
  approvalAbove: z.optional(amount),
})

/** A name that is not known is refused: a limit that is misspelt would be none. */
const policySchema: z.ZodMiniType<SignerPolicy> = z.strictObject({
  policyVersion: z.literal(1, 'must be 1, the version of the format that this package knows'),
  merchantCode: text(/^.{1,200}$/, 'must be a merchant code'),
  payins: z.boolean('must be true or false'),
  operations: z.optional(z.array(operation, 'must be a list')),
  payouts: z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), limits),
  hours: z.optional(z.strictObject({ from: time, to: time, timeZone: z.optional(zone) })),
  approvals: z.optional(z.strictObject({ file, uid: count(0, 4_294_967_294) })),
  mostValiditySecs: z.optional(count(1, 86_400)),
  timestampToleranceSecs: z.optional(count(0, 86_400)),
  timestampUnit: z.optional(z.enum(['seconds', 'milliseconds'], 'must be seconds or milliseconds')),
})

/**
 * A policy, read from JSON.
 *
 * @throws naming the place that is wrong, or the field that is not known ({@link ConfigurationError}).
 * @example
 * const policy = readPolicy(JSON.parse(readFileSync('policy.json', 'utf8')))
 */
export function readPolicy(json: unknown): SignerPolicy {
  const { data: policy, error } = z.safeParse(policySchema, json, { error: whyNot })
  if (policy === undefined) {
    const [issue] = error.issues
    throw wrong(issue?.path.map(String).join('.') || 'it', issue?.message ?? 'is no policy')
  }
  if (policy.hours !== undefined && policy.hours.from === policy.hours.to)
    throw wrong('hours', 'begin and end in the same minute, so that no payout is ever signed')
  for (const [currency, { approvalAbove }] of Object.entries(policy.payouts)) {
    if (approvalAbove !== undefined && policy.approvals === undefined)
      throw wrong(`payouts.${currency}.approvalAbove`, 'needs approvals, which say where approvals are')
  }
  return policy
}

function whyNot(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `has fields that are not known: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_key') return 'must be named by currency codes such as EUR'
  return issue.input === undefined ? 'is missing' : 'must be an object'
}

function wrong(place: string, why: string): ConfigurationError {
  const sentence = `the policy can't be read: ${place} ${why}; nothing is signed.`
  return new ConfigurationError(sentence, { option: 'policy' })
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
