/** The store of a shared budget could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class BudgetStoreError extends Error {
  /** Always `BudgetStoreError`. */
  override readonly name = 'BudgetStoreError'
}
