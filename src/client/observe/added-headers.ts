/** Headers of whoever watches, for trace context. */
export type AddedHeaders = Readonly<Record<string, string>>

/** Lets subscribers send headers along with a request, until it goes out. */
export class HeaderSetter {
  readonly #headers: Record<string, string> = {}
  #areTaken = false

  /** From now on nothing can be added. */
  take(): AddedHeaders {
    this.#areTaken = true
    return this.#headers
  }

  /** @returns whether the header will be sent. */
  readonly set = (name: string, value: string): boolean => {
    const key = String(name).toLowerCase()
    const text = String(value)
    if (this.#areTaken || !/^[a-z0-9][\w-]*$/.test(key) || ownHeaders.test(key)) return false
    if (!/^[\x20-\x7e]*$/.test(text)) return false
    this.#headers[key] = text
    return true
  }
}

/** Headers that are the client's, or the connection's, or that change what the response is. */
const ownHeaders =
  /^(?:accept.*|authorization|connection|content-.*|cookie|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent|x-api-version|x-signature)$/
