import type { CallOptions } from '../http/call.js'
import { commaJoined } from '../http/query.js'
import { carryResponse } from '../http/response-of.js'
import { anyShape } from '../schemas/account-data.js'
import { wrongInput } from '../schemas/wrong-input.js'
import { type AccountCalls, accountCall } from './account-call.js'

/** Request of `balances.list`. */
export interface BalancesInput {
  /** Three-letter currency codes; all currencies when absent. */
  currencies?: readonly string[]
}

/** Answer of `balances.list`. */
export interface BalancesResult {
  /** What the gateway sent. The specification does not show its shape (section 4, gaps). */
  readonly balances: unknown
  /**
   * Currencies that were asked for and did not come back, since the gateway ignores values that it
   * doesn't support (section 4.4). Absent where the answer doesn't show its currencies.
   */
  readonly notReturned?: readonly string[]
}

/** The merchant's balances (specification, section 4). */
export class Balances {
  readonly #calls: AccountCalls

  /** @internal */
  constructor(calls: AccountCalls) {
    this.#calls = calls
  }

  /**
   * The balances, of all currencies or of some. GET /balances
   *
   * @throws {InvalidInputError} for a code that holds a comma: it would be two.
   * @throws {GatewayError} when no usable answer came.
   * @example
   * const { balances, notReturned } = await client.balances.list({ currencies: ['EUR', 'USD'] })
   */
  async list(request: BalancesInput = {}, options?: CallOptions): Promise<BalancesResult> {
    const { currencies } = request
    if (currencies !== undefined && !isListOfTexts(currencies)) {
      throw wrongInput('currencies', 'must be a list of at least one code, as texts; leave it out for all')
    }
    const query = currencies === undefined ? '' : `?currencies=${commaJoined(currencies, 'currencies')}`
    const call = accountCall(this.#calls, 'balances.list', '/balances', anyShape, options, query)
    const balances = await this.#calls.exchange.value(call)
    const shown = currencies === undefined ? undefined : currenciesIn(balances)
    if (shown === undefined) return carryResponse(balances, { balances })
    const notReturned = currencies?.filter((code) => !shown.has(code.toUpperCase())) ?? []
    return carryResponse(balances, { balances, notReturned })
  }
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
}

const codeFields = ['currencyCode', 'currency', 'code']

/** The currencies that an answer speaks of; undefined where it can't be told. */
export function currenciesIn(answer: unknown): Set<string> | undefined {
  const found = new Set<string>()
  const list =
    Array.isArray(answer) || typeof answer !== 'object' || answer === null ? [answer] : Object.values(answer)
  const emptyList = list.length === 1 && Array.isArray(list[0]) && list[0].length === 0
  const visit = (node: unknown, depth: number): void => {
    if (depth > 5 || typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one, depth + 1)
      return
    }
    for (const [name, value] of Object.entries(node)) {
      if (codeFields.includes(name) && isCurrency(value)) found.add(value.toUpperCase())
      // A map from code to balance.
      else if (/^[A-Z]{3}$/.test(name)) found.add(name)
      else visit(value, depth + 1)
    }
  }
  visit(answer, 0)
  return found.size > 0 || emptyList ? found : undefined
}

function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
}
