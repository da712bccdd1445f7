import { jsonOf } from '../../../../../src/client/input/json.js'
import { isObject } from '../../../../../src/client/input/own.js'
import { visibleLines } from '../../../../../src/client/input/visible.js'

const MASK = '[redacted]'
const MAX_SHOWN = 6000
/** What a token, or a callback URL's signed segment, can be in: found in one pass, whatever a stranger has sent. */
const dotted = /[\w-]+(?:(?:\.|%2e)[\w-]*)*/gi
/** The signed segment of a callback URL up to its MAC: whoever has all of it can have the merchant look a payment up. */
const beforeMac = /([12](?:\.|%2e)[\w-]{8}(?:\.|%2e)(?:payin|payout)(?:\.|%2e)[\w-]+(?:\.|%2e))[\w-]+/gi
const userInfo = /([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]*@/gi
/** Long enough to be what lets somebody in; a UUID is an id. */
const opaque = /(?<=\/)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))[\w-]{32,}/gi
/** A name and its value in a query or a fragment; the value may hold pairs of its own. */
const pair = /([?&;#])([^\s=&;#?]+)=([^ \t\r\n&]*)/g
/** A query in a query in a query is nobody's; and who sends one may send ten thousand. */
const MAX_QUERIES = 3
/** Deeper than this nobody reads, and each level costs as much again for its indentation. */
const MAX_DEPTH = 40

/**
 * Masks the credentials in what the page shows: tokens, signatures and MACs by their form, and secrets by the names
 * that they go by. Nothing else is masked: the sandbox is the developer's own, and so are the customers in it.
 */
export class Mask {
  readonly #known: readonly string[]

  constructor(known: readonly (string | undefined)[]) {
    const secrets = known.filter((secret) => secret !== undefined && secret !== '').map(String)
    this.#known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
  }

  /** A text or a path, with the secrets in its queries masked by their names. */
  text(text: string, depth = 0): string {
    const shown = text
      .replace(dotted, withoutToken)
      .replace(userInfo, `$1${MASK}@`)
      .replace(pair, (whole: string, before: string, name: string, value: string) =>
        this.#isHidden(decoded(name), decoded(value), depth) ? `${before}${name}=${MASK}` : whole,
      )
    return this.#known.reduce((masked, secret) => masked.replaceAll(secret, MASK), shown)
  }

  /** The value of a header or a field: masked whole where the name says that it is a secret. */
  named(name: string, value: string, depth = 0): string {
    if (isSecret(name)) return MASK
    return isUrl(value) ? this.url(value, depth) : this.text(value, depth)
  }

  /**
   * A URL without its user and password, and without what in its path may let somebody in: a callback URL is
   * a secret that the merchant shares with the gateway.
   */
  url(url: string, depth = 0): string {
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    return this.text(path.replace(opaque, MASK) + url.slice(path.length), depth)
  }

  /** What a merchant's server answered: JSON as other bodies, and a text or a page as it stands, without credentials. */
  answer(body: string | undefined): string | null {
    if (body === undefined) return null
    return jsonOf(body) === undefined ? visibleLines(this.text(body)) : this.body(Buffer.from(body))
  }

  /** A body as indented JSON with its secrets masked. Anything else is not shown: where its secrets are is not known. */
  body(bytes: Uint8Array): string | null {
    if (bytes.length === 0) return null
    const value = jsonOf(Buffer.from(bytes).toString('utf8'))
    if (value === undefined) return `Not JSON, so not shown: ${bytes.length} bytes.`
    const shown = visibleLines(JSON.stringify(this.value('', value), null, 2))
    return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length} characters` : shown
  }

  /** What JSON can hold, under a name; everything in it is masked by the names there. */
  value(name: string, value: unknown, depth = 0): unknown {
    if (isSecret(name)) return MASK
    if (depth > MAX_DEPTH) return '…'
    if (typeof value === 'string') return this.#string(name, value, depth)
    if (Array.isArray(value)) return value.map((entry) => this.value('', entry, depth + 1))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [this.text(key), this.value(key, field, depth + 1)]),
    )
  }

  /** A text that holds JSON itself, as that of a body that was written twice, is masked as what it holds. */
  #string(name: string, value: string, depth: number): string {
    const inside = /^\s*[[{]/.test(value) ? jsonOf(value) : undefined
    return inside === undefined ? this.named(name, value) : JSON.stringify(this.value('', inside, depth + 1))
  }

  /** Whether a value of a query is a secret, or holds one: an address or another query may be in it. */
  #isHidden(name: string, value: string, depth: number): boolean {
    if (isSecret(name)) return true
    if (!/[=/]/.test(value)) return false
    if (depth === MAX_QUERIES) return true
    const text = isUrl(value) ? value : `?${value}`
    return this.named('', text, depth + 1) !== text
  }
}

const secret =
  /secret|token|passw|passphrase|passcode|private|authorization|signature|cookie|(?:api|access|auth|client|app)[-_]?key|credential|session|bearer|hmac|jwt/i
/** Too short to be looked for within other words: "sig" is in "design". */
const shortSecret = /(?:^|[-_.\s])(?:auth|cvc|cvv|key|mac|otp|pass|pin|pwd|sid|sig|sign)$/i
const idempotencyKey = /^(?:x[-_])?idempotency[-_]?key$/i

/** Whether the name of a header, a field or a query says that its value is a secret. */
function isSecret(name: string): boolean {
  return secret.test(name) || (shortSecret.test(name) && !idempotencyKey.test(name))
}

function isUrl(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(value)
}

function withoutToken(run: string): string {
  const at = run.indexOf('eyJ')
  if (at >= 0 && /\.|%2e/i.test(run.slice(at + 7))) return run.slice(0, at) + MASK
  return run.replace(beforeMac, `$1${MASK}`)
}

/** Who encodes twice hides nothing. */
function decoded(text: string): string {
  let plain = text.replaceAll('+', ' ')
  for (let time = 0; time < MAX_QUERIES && plain.includes('%'); time += 1) plain = decodedOnce(plain)
  return plain
}

function decodedOnce(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
  )
}
