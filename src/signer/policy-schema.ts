import * as z from '../profile/zod-library.js'
import { amountForm } from './money.js'
import type { SignerPolicy } from './policy.js'

const isAmount = 'must be a decimal text such as "1000.50"'
const amount = (description: string) =>
  z.string(isAmount).check(z.regex(amountForm, isAmount), z.describe(description))

const count = (least: number, most: number, description: string) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.int(error).check(z.gte(least, error), z.lte(most, error), z.describe(description))
}

const isPath = 'must be the path of a file'
const path = (description: string) =>
  z.string(isPath).check(z.regex(/^[^\0\r\n]+$/, isPath), z.describe(description))

const isTime = 'must be a time such as "08:00"'
const time = (description: string) =>
  z.string(isTime).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, isTime), z.describe(description))

const isZone = 'must be a time zone such as "Europe/Vienna"'
const isOperation = 'must be "GET /…" or "POST /payins/.*": no other is let through by its text'

const limits = z.strictObject({
  mostInOne: amount('The most in one payout.'),
  mostInHour: amount('The most in any hour.'),
  mostInDay: amount('The most in any 24 hours.'),
  countInHour: count(0, 1_000_000, 'How many payouts in any hour.'),
  approvalAbove: z.optional(amount('A payout of more than this needs an approval.')),
})

const policy = z.strictObject({
  $schema: z.optional(z.string('must be a text')),
  policyVersion: z
    .literal(1, 'must be 1, the version of the format that this package knows')
    .check(z.describe('The version of this format.')),
  merchantCode: z
    .string('must be a text')
    .check(
      z.regex(/^.{1,200}$/, 'must be a merchant code'),
      z.describe('The merchant whose token requests are signed.'),
    ),
  payins: z
    .boolean('must be true or false')
    .check(z.describe('Whether tokens for single payins are signed, and for payment options.')),
  operations: z.optional(
    z
      .array(
        z.string(isOperation).check(z.regex(/^(?:GET \/\S*|POST \/payins\/\.\*)$/, isOperation)),
        'must be a list',
      )
      .check(z.describe('Further operations, by their exact text.')),
  ),
  payouts: z
    .record(z.string().check(z.regex(/^[A-Z]{3}$/)), limits)
    .check(z.describe('What may be paid out in each currency; one that is not there is refused.')),
  hours: z.optional(
    z
      .strictObject({
        from: time('The first minute.'),
        to: time('The minute after the last one; before `from`, it is of the next day.'),
        timeZone: z.optional(
          z
            .string(isZone)
            .check(
              z.refine(isTimeZone, { error: isZone }),
              z.describe('Such as Europe/Vienna. Default UTC.'),
            ),
        ),
      })
      .check(
        z.refine(({ from, to }) => from !== to, {
          error: 'from and to are the same minute, so that no payout is ever signed',
        }),
        z.describe('When payouts are signed. Default: at any time.'),
      ),
  ),
  ids: z.optional(path('A file of the payouts that the ledger knows; others are refused.')),
  approvals: z.optional(
    z
      .strictObject({
        file: path('The file that "merchant-gateway signer approve" writes.'),
        uid: count(
          0,
          4_294_967_294,
          'The number of the user who owns it: not the one that the signer runs as.',
        ),
      })
      .check(z.describe('Where approvals stand, and whose they must be.')),
  ),
  mostValiditySecs: z.optional(count(1, 86_400, 'The longest validitySecs that is signed. Default 900.')),
  timestampToleranceSecs: z.optional(
    count(0, 86_400, 'For how long after its timestamp the gateway takes a token request. Default 300.'),
  ),
  timestampUnit: z.optional(z.enum(['seconds', 'milliseconds'], 'must be seconds or milliseconds')),
  idsInOperations: z.optional(z.enum(['percent-encoded', 'decoded'], 'must be percent-encoded or decoded')),
})

/** What policies are read by, and what their JSON schema is made of. A name that is not known is refused. */
export const policySchema: z.ZodMiniType<SignerPolicy> = policy

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
