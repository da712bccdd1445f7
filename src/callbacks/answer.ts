/** What a callback is answered. The body is always empty. */
export interface CallbackAnswer {
  /**
   * HTTP status: 204 dealt with, 404 not signed by this receiver, 500 the function failed, 503 come again.
   */
  readonly status: 204 | 404 | 500 | 503
  /** Response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** From the path that was called to what is answered. */
export type Receive = (requestTarget: string) => Promise<CallbackAnswer>
