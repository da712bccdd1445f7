import { isRecord } from '../wire/json-body.js'

const MASK = '[redacted]'
const MAX_SHOWN = 6000
const secretName = /secret|token|password|passphrase|private|authorization|signature|cookie|api-?key/i
const accountNumber = /account-?number|iban/i
const customer = /account-?name|e-?mail/i
const jwt = /eyJ[\w-]{4,}\.[\w-]*\.?[\w-]*/g

/** Masks what the page must not show: tokens by their form, and secrets by their value or by the name of their field. */
export class Mask {
  readonly #known: readonly string[]

  constructor(known: readonly (string | undefined)[]) {
    this.#known = known.filter((secret) => secret !== undefined && secret !== '').map(String)
  }

  text(text: string): string {
    const withoutTokens = text.replace(jwt, MASK)
    return this.#known.reduce((shown, secret) => shown.replaceAll(secret, MASK), withoutTokens)
  }

  /**
   * The value of a header or a field: masked whole where the name says that it is a secret, and in part where
   * it is about a customer, so that customers can be told apart.
   */
  named(name: string, value: string): string {
    if (secretName.test(name)) return MASK
    if (accountNumber.test(name)) return value.length > 6 ? `…${value.slice(-4)}` : MASK
    if (customer.test(name)) return `${value.slice(0, 1)}…`
    return this.text(value)
  }

  /** A URL with its user and password masked. */
  url(url: string): string {
    return this.text(url.replace(/^([a-z]+:\/\/)[^/?#@]*@/i, `$1${MASK}@`))
  }

  /** A body as indented JSON with its secrets masked. Anything else is not shown: where its secrets are is not known. */
  body(bytes: Uint8Array): string | null {
    if (bytes.length === 0) return null
    const value = parse(Buffer.from(bytes).toString('utf8'))
    if (value === undefined) return `Not JSON, so not shown: ${bytes.length} bytes.`
    const shown = JSON.stringify(this.#walk(value), null, 2)
    return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length} characters` : shown
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((entry) => this.#walk(entry))
    if (!isRecord(value)) return value
    const entries = Object.entries(value).map(([name, field]) => [
      this.text(name),
      typeof field === 'string' || secretName.test(name)
        ? this.named(name, String(field))
        : this.#walk(field),
    ])
    return Object.fromEntries(entries)
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
