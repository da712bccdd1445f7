import { carryResponse } from '../http/response.js'
import type { CallOptions } from '../input/call-options.js'
import { argument, check, type Shape, wrongInput } from '../input/check.js'
import { isNotEmpty, listOf } from '../input/kinds.js'
import { commaJoined } from '../input/query.js'
import { optional, string } from '../input/zod.js'
import { routes } from '../routes.js'
import { anyShape } from '../schemas/account-data.js'
import { type ResourceParts, readAccount } from './account.js'

/** Request of `balances.list`. */
export interface BalancesInput {
  /** Three-letter currency codes; all currencies when absent. */
  currencies?: readonly string[] | undefined
}

/** Answer of `balances.list`. */
export interface BalancesResult {
  /** What the gateway sent. The specification does not show its shape (section 4, gaps). */
  readonly balances: unknown
  /**
   * Currencies that were asked for and did not come back, since the gateway ignores values that it
   * doesn't support (section 4.4). Absent where the response doesn't show its currencies.
   */
  readonly notReturned?: readonly string[]
}

/** The merchant's balances (specification, section 4). */
export class Balances {
  readonly #parts: ResourceParts

  /** @internal */
  constructor(parts: ResourceParts) {
    this.#parts = parts
  }

  /**
   * The balances, of all currencies or of some. GET /balances (specification, section 4)
   *
   * @param request the currencies; all of them when it is left out.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws for a code that holds a comma: it would be two ({@link InvalidInputError}).
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const { balances, notReturned } = await client.balances.list({ currencies: ['EUR', 'USD'] })
   */
  async list(request: BalancesInput = {}, options?: CallOptions): Promise<BalancesResult> {
    const { currencies } = check(fields, request, wrongInput)
    const query = currencies === undefined ? '' : `?currencies=${commaJoined(currencies, 'currencies')}`
    const balances = await readAccount(this.#parts, routes.balances, anyShape, options, query)
    const shown = currencies === undefined ? undefined : currenciesIn(balances)
    if (shown === undefined) return carryResponse(balances, { balances })
    const notReturned = currencies?.filter((code) => !shown.has(code.toUpperCase())) ?? []
    return carryResponse(balances, { balances, notReturned })
  }
}

const codes = 'a list of at least one code, as texts; leave it out for all'

const fields = argument('a field of this request', {
  currencies: optional(listOf(codes, (expected) => string(`must be ${expected}`), isNotEmpty)),
} satisfies Shape<BalancesInput>)

const codeFields = ['currencyCode', 'currency', 'code']

/**
 * The currencies that a response speaks of: none where it holds no balance at all, undefined where it
 * can't be told.
 */
function currenciesIn(response: unknown): Set<string> | undefined {
  const found = new Set<string>()
  const visit = (node: unknown, depth: number): void => {
    if (depth > 5 || typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (codeFields.includes(name) && isCurrency(value)) found.add(value.toUpperCase())
      // A map from code to balance.
      else if (/^[A-Z]{3}$/.test(name)) found.add(name)
      else visit(value, depth + 1)
    }
  }
  visit(response, 0)
  return found.size > 0 || isEmpty(response) ? found : undefined
}

const listFields = ['data', 'balances', 'items', 'results', 'content']

/** No balance came: an empty list or map, by itself, as all there is, or under a usual name. */
function isEmpty(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false
  const fields = Object.entries(response)
  const lists = fields.length === 1 ? fields : fields.filter(([name]) => listFields.includes(name))
  return fields.length === 0 || (lists.length > 0 && lists.every(([, list]) => isEmptyObject(list)))
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
}
