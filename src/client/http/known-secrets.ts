import { redaction } from '../redact/load.js'

/** The newest of many texts, each once. */
export class Recent {
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
 * What a client was given or has sent that nobody should read: its credentials, the secrets of its receivers of
 * callbacks, its newest tokens and signatures, and its newest callback URLs, whose MACs are as good as a signature.
 * An answer to any call may quote one of another.
 */
export class KnownSecrets {
  readonly #ofCredentials: () => readonly string[]
  readonly #ofReceivers = new Recent(64)
  /** Tokens and signatures. */
  readonly tokens = new Recent(32)
  /** Addresses that were sent to the gateway. */
  readonly callbackUrls = new Recent(64)

  /** @param ofCredentials makes the texts of its credentials; asked only when something is to be shown. */
  constructor(ofCredentials: () => readonly string[] = () => []) {
    this.#ofCredentials = ofCredentials
  }

  /** Secrets of a receiver of callbacks; where each request makes a receiver, they are the same every time. */
  addReceiver(texts: readonly string[]): void {
    for (const text of texts) this.#ofReceivers.add(text)
  }

  get all(): readonly string[] {
    const { secretsIn } = redaction()
    return [
      ...this.#ofCredentials(),
      ...this.#ofReceivers.all,
      ...this.tokens.all,
      ...secretsIn({ urls: this.callbackUrls.all }),
    ]
  }
}
