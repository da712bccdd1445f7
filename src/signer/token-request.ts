import { type IdSpelling, idPattern } from '../client/input/id-pattern.js'
import { jsonOf } from '../client/input/json.js'
import { isObject } from '../client/input/own.js'
import { longestId, whyNoId } from '../client/input/payment-id.js'
import { type Micros, microsOf } from './money.js'

/** A token request, as its bytes say it and no other bytes would. */
export interface TokenRequest {
  readonly merchantCode: string
  readonly validitySecs: number
  readonly timestamp: number
  readonly grant:
    | { readonly action: string; readonly idPayment: string }
    | { readonly operations: readonly string[] }
  readonly money?: { readonly amount: Micros; readonly currencyCode: string }
}

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
  const json = jsonOf(given.toString('utf8'))
  if (!isObject(json)) return undefined
  const { merchantCode, validitySecs, action, idPayment, operations, money, timestamp } = json
  if (typeof merchantCode !== 'string' || !isCount(validitySecs) || !isCount(timestamp)) return undefined
  const grant = grantOf(action, idPayment, operations)
  const limit = isObject(money) ? moneyOf(money) : undefined
  if (grant === undefined || (money !== undefined && limit === undefined)) return undefined
  const limited = limit === undefined ? {} : { money: limit.json }
  const written = JSON.stringify({ merchantCode, validitySecs, ...grant, ...limited, timestamp })
  if (!Buffer.from(written).equals(given)) return undefined
  const request = { merchantCode, validitySecs, timestamp, grant }
  return limit === undefined ? request : { ...request, money: limit.money }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function grantOf(
  action: unknown,
  idPayment: unknown,
  operations: unknown,
): TokenRequest['grant'] | undefined {
  if (typeof action === 'string' && typeof idPayment === 'string' && operations === undefined) {
    return isPlainId(idPayment) ? { action, idPayment } : undefined
  }
  const isList =
    Array.isArray(operations) && operations.length > 0 && operations.every((one) => typeof one === 'string')
  return isList && action === undefined && idPayment === undefined ? { operations } : undefined
}

/** A gateway may put the id into a regular expression, so one that could be read as more than itself is none. */
function isPlainId(id: string): boolean {
  return whyNoId(id) === undefined && id.length <= longestId && !/[*|?+()[\]{}^$]/.test(id)
}

/** A gateway may count in binary fractions: more digits than those keep are another amount for it. */
const mostDigits = 15

function moneyOf({ amount, currencyCode }: Record<string, unknown>) {
  if (typeof amount !== 'number' || typeof currencyCode !== 'string' || !/^[A-Z]{3}$/.test(currencyCode)) {
    return undefined
  }
  const text = String(amount)
  const micros = microsOf(text)
  if (micros === undefined || micros === 0n || text.replace('.', '').length > mostDigits) return undefined
  return { json: { amount, currencyCode }, money: { amount: micros, currencyCode } }
}

/** The id of an operation on one payment; undefined where it is not written exactly as the client writes that of an id. */
export function idOfOperation(operation: string, prefix: string, spelling: IdSpelling): string | undefined {
  if (!operation.startsWith(prefix)) return undefined
  const pattern = operation.slice(prefix.length)
  const id = decoded(pattern.replace(/\\(.)/g, '$1'), spelling)
  if (id === undefined || whyNoId(id) !== undefined || id.length > longestId) return undefined
  return idPattern(id, spelling) === pattern ? id : undefined
}

function decoded(text: string, spelling: IdSpelling): string | undefined {
  if (spelling === 'decoded') return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
