/** One text for all processes, which changes only where nobody else has changed it meanwhile. */
export interface SharedText {
  /** How sentences call what keeps it: `Redis`. */
  readonly name: string
  /** What is kept, and no more of it than so many characters. */
  read(longest: number): Promise<TextReading>
  /** Keeps another text in place of the one that was read, for `keptMs`. Returns whether it still was that one. */
  swap(read: TextReading, text: string, keptMs: number): Promise<boolean>
}

/** What a store held at one moment. */
export interface TextReading {
  /** The store's clock, in milliseconds since 1970. */
  readonly now: number
  /** Undefined where there is none. */
  readonly text: string | undefined
  /** By what the store tells whether it is still the same. */
  readonly version: string
}

/** The store of a shared rate limit could not be asked, so that no request may be sent. It is the `cause` of a `ConnectionError`. */
export class RateLimitStoreError extends Error {
  /** Always `RateLimitStoreError`. */
  override readonly name = 'RateLimitStoreError'
}
