/** What a callback is answered. The body is always empty. */
export interface CallbackAnswer {
  readonly status: 204 | 404 | 500 | 503
  readonly headers: Readonly<Record<string, string>>
}

/** From the path that was called to what is answered. */
export type Receive = (requestTarget: string) => Promise<CallbackAnswer>
