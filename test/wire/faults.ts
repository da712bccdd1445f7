/** How a connection ends: as a peer that is done (FIN), as one that is gone (RST), or not at all. */
export type Ending = 'end' | 'reset' | 'stall'

/** What goes wrong with one request and its response. */
export type WireFault =
  /** So many bytes of the request are read, and nothing of it is processed. */
  | { readonly kind: 'request-ends'; readonly at: number; readonly by: Ending }
  /** So many bytes of the request are read, and it is answered without being processed. */
  | { readonly kind: 'early-answer'; readonly at: number; readonly status: number; readonly by: Ending }
  /** The request is processed, and so many bytes of the response go out. */
  | { readonly kind: 'answer-ends'; readonly at: number; readonly by: Ending }
  /** The whole response, so many bytes at a time. */
  | { readonly kind: 'drip'; readonly bytes: number }
  /** `content-length` says so many bytes more, or fewer, than there are. */
  | { readonly kind: 'wrong-length'; readonly off: number; readonly by: Ending }
  /** The response comes in chunks. */
  | { readonly kind: 'chunked'; readonly spoilt: Spoilt; readonly by: Ending }
  /** No length: the body ends where the connection does, after so many bytes of it. */
  | { readonly kind: 'no-length'; readonly at: number; readonly by: 'end' | 'reset' }
  /** The whole response, and bytes that belong to nothing. */
  | { readonly kind: 'more'; readonly bytes: string }
  /** It is processed when the caller has given up. */
  | { readonly kind: 'late' }

export type Spoilt = 'nothing' | 'a size' | 'a size too large' | 'no end' | 'a line end' | 'half'

/** What goes wrong with a whole connection, before any request. */
export type ConnectionFault =
  /** It is accepted, and ended. */
  | { readonly kind: 'refused'; readonly by: 'end' | 'reset' }
  /** A response to nothing comes before anything was read, and then the end. */
  | { readonly kind: 'greeting'; readonly status: number }
  /** A certificate that is not good for this host. */
  | { readonly kind: 'certificate'; readonly name: 'expired' | 'otherHost' | 'unknown' }
  /** A port that does not speak TLS. */
  | { readonly kind: 'plain-text' }
  /** The handshake ends after so many bytes that one of the two sent. */
  | {
      readonly kind: 'handshake-ends'
      readonly after: 'client' | 'server'
      readonly at: number
      readonly by: Ending
    }
