/** The store of a shared rate limit could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class RateLimitStoreError extends Error {
  /** Always `RateLimitStoreError`. */
  override readonly name = 'RateLimitStoreError'
}
