import { redaction } from '../redact/load.js'

/** The newest of many texts, each once. */
class Recent {
  readonly #texts = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get all(): readonly string[] {
    return [...this.#texts]
  }

  add(text: string): void {
    this.#texts.delete(text)
    this.#texts.add(text)
    for (const oldest of this.#texts) {
      if (this.#texts.size <= this.#most) return
      this.#texts.delete(oldest)
    }
  }
}

/**
 * What a client was given or has sent that nobody should read: its secret, its newest tokens and signatures, and
 * its newest callback URLs, whose MACs are as good as a signature. An answer to any call may quote one of another.
 */
export class KnownSecrets {
  readonly #given: readonly string[]
  readonly #tokens = new Recent(32)
  readonly #urls = new Recent(64)

  /** @param given texts of its credentials. */
  constructor(given: readonly string[] = []) {
    this.#given = given
  }

  /** A token or a signature. */
  addToken(token: string): void {
    this.#tokens.add(token)
  }

  /** An address that was sent to the gateway. */
  addUrl(url: string): void {
    this.#urls.add(url)
  }

  get all(): readonly string[] {
    const { secretsIn } = redaction()
    return [...this.#given, ...this.#tokens.all, ...secretsIn({ urls: this.#urls.all })]
  }
}
