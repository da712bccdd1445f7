import type { Failure, TransportResponse } from '../failure.js'

/** The methods that `client.request()` takes. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface TransportRequest {
  readonly method: HttpMethod
  readonly path: string
  /** Shared by requests: a transport that adds to them makes its own. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Whether it must not go out on a connection that has been used before. */
  readonly freshConnection?: boolean
  /** Asked when it is about to be written, once its connection is there: after a no, nothing is, and it fails as `permit-expired`. */
  readonly mayBegin: () => boolean
  /** Called when the first byte may be on its way. */
  readonly onSent: () => void
}

export type TransportFailure = Extract<
  Failure,
  { readonly kind: 'connection' | 'timeout' | 'aborted' | 'too-large' | 'permit-expired' }
>

/**
 * Sends one request and reads one answer to its end, whatever its status. Never rejects, and leaves
 * nothing behind.
 */
export type Send = (request: TransportRequest) => Promise<TransportResponse | TransportFailure>

export interface Transport {
  readonly send: Send
  /** Ends idle connections; what is under way has ended before. */
  close(): Promise<void>
}

export function isTransportFailure(result: TransportResponse | TransportFailure): result is TransportFailure {
  return 'kind' in result
}
