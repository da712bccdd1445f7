/** Where the budget is kept: one text for all processes, which changes only where nobody else has changed it meanwhile. */
export interface BudgetStore {
  /** How it is called in sentences: `Redis`. */
  readonly name: string
  /** What is kept, and no more of it than so many characters. */
  read(longest: number): Promise<StoreReading>
  /** Keeps another text in place of the one that was read. @returns whether it still was that one. */
  swap(read: StoreReading, text: string): Promise<boolean>
}

/** What a store held at one moment. */
export interface StoreReading {
  /** The store's clock, in milliseconds since 1970. */
  readonly now: number
  /** Undefined where there is none. */
  readonly text: string | undefined
  /** By what the store tells whether it is still the same. */
  readonly version: string
}

/** The store of a shared budget could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class BudgetStoreError extends Error {
  /** Always `BudgetStoreError`. */
  override readonly name = 'BudgetStoreError'
}
