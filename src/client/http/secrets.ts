import { jsonOf } from '../input/values.js'
import { secretsIn } from '../redact.js'

export interface SecretSource {
  readonly body?: string | undefined
  readonly secrets?: readonly string[] | undefined
}

export interface SentSecrets {
  readonly requests: readonly SecretSource[]
  readonly sent: readonly string[]
  readonly known: KnownSecrets
}

export function secretsOf({ requests, sent, known }: SentSecrets): string[] {
  const ofRequests = requests.flatMap(({ body, secrets }) => [
    ...(secrets ?? []),
    ...(body === undefined ? [] : secretsIn(jsonOf(body))),
  ])
  return [...ofRequests, ...sent, ...known.all]
}

export class Recent {
  readonly #texts = new Set<string>()
  readonly #most: number
  #newest: string | undefined

  constructor(most: number) {
    this.#most = most
  }

  get all(): readonly string[] {
    return [...this.#texts]
  }

  add(text: string): void {
    if (text === this.#newest) return
    this.#newest = text
    this.#texts.delete(text)
    this.#texts.add(text)
    const [oldest = ''] = this.#texts
    if (this.#texts.size > this.#most) this.#texts.delete(oldest)
  }
}

/** What a client was given or has sent lately that nobody should read: a response to any call may quote one of another. */
export class KnownSecrets {
  readonly #ofCredentials: () => readonly string[]
  readonly #ofReceivers = new Recent(64)
  readonly tokens = new Recent(32)
  readonly callbackUrls = new Recent(64)

  constructor(ofCredentials: () => readonly string[] = () => []) {
    this.#ofCredentials = ofCredentials
  }

  addReceiver(texts: readonly string[]): void {
    for (const text of texts) this.#ofReceivers.add(text)
  }

  get all(): readonly string[] {
    return [
      ...this.#ofCredentials(),
      ...this.#ofReceivers.all,
      ...this.tokens.all,
      ...secretsIn({ urls: this.callbackUrls.all }),
    ]
  }
}
