import type { Limiter, Permit, PermitRequest } from '../../index.js'
import type { SharedText } from '../shared-text.js'
import { SharedBudget, type SharedBudgetParts } from './shared-budget.js'

export interface AccountBudgetsParts extends Omit<SharedBudgetParts, 'store'> {
  /** Whose budget it is, where all that use it share one, whatever their accounts. */
  readonly name: string | undefined
  /** Where the budget of this name is kept. */
  readonly storeOf: (name: string) => SharedText
}

/** The name of the budget of callers that have neither a name nor an account. */
const nameless = 'default'

/** The shared budgets of one store: one for each account, unless they have a name. */
export class AccountBudgets implements Limiter {
  readonly #parts: AccountBudgetsParts
  readonly #budgets = new Map<string, SharedBudget>()

  constructor(parts: AccountBudgetsParts) {
    this.#parts = parts
  }

  forAccount(account: string): Limiter {
    return this.#budget(account)
  }

  acquire(signal: AbortSignal, request: PermitRequest): Promise<Permit> {
    return this.#budget(nameless).acquire(signal, request)
  }

  sent(): void {
    this.#budget(nameless).sent()
  }

  pause(ms: number): void {
    this.#budget(nameless).pause(ms)
  }

  #budget(account: string): SharedBudget {
    const { name = account, storeOf, ...parts } = this.#parts
    const budget = this.#budgets.get(name) ?? new SharedBudget({ ...parts, store: storeOf(name) })
    this.#budgets.set(name, budget)
    return budget
  }
}
