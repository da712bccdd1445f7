import { decoded } from '../../../src/client/input/decoded.js'
import { type IdSpelling, idPattern } from '../../../src/client/input/id-pattern.js'
import { jsonOf } from '../../../src/client/input/json.js'
import { longestId, whyNoId } from '../../../src/client/input/payment-id.js'
import * as z from '../../../src/profile/zod-library.js'
import { microsOf } from './money.js'

const count = z.int().check(z.gte(1))

const money = z.strictObject({
  amount: z.number().check(z.refine(isExact)),
  currencyCode: z.string().check(z.regex(/^[A-Z]{3}$/)),
})

const begin = { merchantCode: z.string(), validitySecs: count }
const end = { money: z.exactOptional(money), timestamp: count }

/** The two kinds of token requests, each with its fields in the order in which the client writes them. */
const tokenRequest = z.union([
  z.strictObject({
    ...begin,
    operations: z.array(z.string()).check(z.refine((list) => list.length > 0)),
    ...end,
  }),
  z.strictObject({
    ...begin,
    action: z.string(),
    idPayment: z.string().check(z.refine(isPlainId)),
    ...end,
  }),
])

/** A token request, as its bytes say it and no other bytes would. */
export type TokenRequest = z.infer<typeof tokenRequest>

/** No honest request is longer, in bytes. */
export const longestRequest = 16_384

/**
 * The request that these bytes are; undefined for any other bytes than the client would write of it. They are written
 * again and compared, so that no second key, no space, no exponent, no digit that a number can't hold and no other
 * order is there for the gateway to read otherwise.
 */
export function tokenRequestOf(bytes: Uint8Array): TokenRequest | undefined {
  if (bytes.byteLength > longestRequest) return undefined
  const given = Buffer.from(bytes)
  const { data } = z.safeParse(tokenRequest, jsonOf(given.toString('utf8')))
  return data !== undefined && Buffer.from(JSON.stringify(data)).equals(given) ? data : undefined
}

/** A gateway may put the id into a regular expression, so one that could be read as more than itself is none. */
function isPlainId(id: string): boolean {
  return whyNoId(id) === undefined && id.length <= longestId && !/[*|?+()[\]{}^$]/.test(id)
}

/** A gateway may count in binary fractions: more digits than those keep are another amount for it. */
const mostDigits = 15

function isExact(amount: number): boolean {
  const text = String(amount)
  return (microsOf(text) ?? 0n) > 0n && text.replace('.', '').length <= mostDigits
}

/** The id of an operation on one payment; undefined where it is not written exactly as the client writes that of an id. */
export function idOfOperation(
  operation: string,
  prefix: string,
  spelling: IdSpelling = 'percent-encoded',
): string | undefined {
  if (!operation.startsWith(prefix)) return undefined
  const pattern = operation.slice(prefix.length)
  const spelled = pattern.replace(/\\(.)/g, '$1')
  const id = spelling === 'decoded' ? spelled : decoded(spelled)
  if (id === undefined || whyNoId(id) !== undefined || id.length > longestId) return undefined
  return idPattern(id, spelling) === pattern ? id : undefined
}
