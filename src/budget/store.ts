import type { Ask } from './ask.js'

/** Where the budget is kept. */
export interface BudgetStore {
  /** How it is called in sentences: `Redis`. */
  readonly name: string
  /** One call of the store. @returns an answer, still to be read. */
  ask(ask: Ask): Promise<unknown>
}

/** The store of a shared budget could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class BudgetStoreError extends Error {
  /** Always `BudgetStoreError`. */
  override readonly name = 'BudgetStoreError'
}
