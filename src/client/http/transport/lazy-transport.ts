import { type Failure, isFailure } from '../failure.js'
import type { Transport } from './transport.js'

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
    if (transport !== undefined && !isFailure(transport)) await transport.close()
  }
}
