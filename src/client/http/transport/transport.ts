import type { Failure, TransportResponse } from '../failure.js'

/** The methods that `client.request()` takes. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface TransportRequest {
  readonly method: HttpMethod
  readonly path: string
  /** Of this attempt alone: an interceptor may write into them. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly freshConnection?: boolean
  /** Asked when it is about to be written, once its connection is there: after a no, nothing is, and it fails as `permit-expired`. */
  readonly mayBegin: () => boolean
  readonly onSent: () => void
}

export type TransportFailure = Extract<
  Failure,
  { readonly kind: 'connection' | 'timeout' | 'aborted' | 'too-large' | 'permit-expired' }
>

export interface Transport {
  /** Sends one request and reads one response to its end, whatever its status. Never rejects, and leaves nothing behind. */
  send(request: TransportRequest): Promise<TransportResponse | TransportFailure>
  close(): Promise<void>
}

/** A transport that is loaded by the first request: importing the package stays quick. */
export class LazyTransport {
  readonly #load: () => Promise<Transport>
  #loading: Promise<Transport | Failure> | undefined
  loaded: Transport | undefined

  constructor(load: () => Promise<Transport>) {
    this.#load = load
  }

  /** Never rejects. One that could not be loaded is loaded again by the next request. */
  load(): Promise<Transport | Failure> {
    this.#loading ??= this.#load().then(
      (transport) => {
        this.loaded = transport
        return transport
      },
      (cause) => {
        this.#loading = undefined
        return { kind: 'unloadable', cause }
      },
    )
    return this.#loading
  }

  async close(): Promise<void> {
    const transport = await this.#loading
    if (transport !== undefined && !('kind' in transport)) await transport.close()
  }
}
