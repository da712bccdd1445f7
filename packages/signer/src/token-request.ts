import { operation } from 'merchant-gateway'
import * as z from 'zod/mini'
import { microsOf } from './money.js'
import { jsonOf } from './text.js'

const count = z.int().check(z.gte(1))

const money = z.strictObject({
  amount: z.number().check(z.refine(isAmount)),
  currencyCode: z.string().check(z.regex(/^[A-Z]{3}$/)),
})

const begin = { merchantCode: z.string(), validitySecs: count }
const end = { money: z.exactOptional(money), timestamp: count }

/** The two kinds of token requests, each with its fields in the order in which the client writes them. */
const tokenRequest = z.union([
  z.strictObject({ ...begin, operations: z.array(z.string()).check(z.minLength(1)), ...end }),
  z.strictObject({ ...begin, action: z.string(), idPayment: z.string().check(z.refine(isPlainId)), ...end }),
])

/** A token request that its bytes say and no other bytes would. */
export type TokenRequest = z.infer<typeof tokenRequest>

/** No honest request is longer, in bytes. */
export const longestRequest = 16_384

/**
 * The request that these bytes are; undefined where the client would write other bytes. The request is written again
 * and compared, so the bytes hold no second key, space, exponent, excess digit or other order that the gateway could
 * read as another request.
 */
export function tokenRequestOf(bytes: Uint8Array): TokenRequest | undefined {
  if (bytes.byteLength > longestRequest) return undefined
  const given = Buffer.from(bytes)
  const { data } = z.safeParse(tokenRequest, jsonOf(given.toString('utf8')))
  return data !== undefined && Buffer.from(JSON.stringify(data)).equals(given) ? data : undefined
}

/** The id in an operation such as `GET /payouts/id`; undefined unless it is written as the client writes that of an id. */
export function idOfOperation(text: string, start: `${'GET' | 'POST'} /${string}/`): string | undefined {
  if (!text.startsWith(start)) return undefined
  try {
    const id = decodeURIComponent(text.slice(start.length).replace(/\\(.)/g, '$1'))
    return operationOf(start, id) === text ? id : undefined
  } catch {
    return undefined
  }
}

/** As the client writes it; undefined where the id could be no id of a payment. */
function operationOf(start: string, id: string): string | undefined {
  const [method = '', path = ''] = start.split(' ')
  try {
    return operation(method, `${path}{id}`, { id })
  } catch {
    return undefined
  }
}

/** Whether a payment could have this id. */
export function isId(id: string): boolean {
  return operationOf('GET /payins/', id) !== undefined
}

/** A gateway may put the id into a regular expression, so an id that could be read as a pattern is refused. */
function isPlainId(id: string): boolean {
  return isId(id) && !/[*|?+()[\]{}^$]/.test(id)
}

function isAmount(amount: number): boolean {
  return (microsOf(String(amount)) ?? 0n) > 0n
}
