import { isObject, jsonOf } from '../../common/json.js'
import { decoded, visible } from '../../common/text.js'

const MASK = '[redacted]'
const MOST_SHOWN = 6000
const token = /eyJ[\w-]{4,}(?:\.|%2[eE])[\w-]+(?:\.|%2[eE])?[\w-]*/g
/** The MAC of a signed callback URL; the rest of the segment says which payment it is for. */
const mac = /([12](?:\.|%2e)[\w-]{8}(?:\.|%2e)(?:payin|payout)(?:\.|%2e)[\w-]+(?:\.|%2e))[\w-]+/gi
const userInfo = /([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]*@/gi
/** A part of a URL's path that is long enough to be a secret; a UUID is an id. */
const opaque = /(?<=\/)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))[\w-]{32,}/gi
const pair = /([?&;#])([^\s=&;#?]+)=([^\s&;#]*)/g
const url = /^[a-z][a-z\d+.-]*:\/\//i
const secretName =
  /secret|token|passw|passphrase|private|authorization|signature|cookie|(?:api|access|auth|client|app)[-_]?key|credential|session|bearer|hmac|jwt|(?:^|[-_.\s])(?:auth|key|mac|otp|pass|pin|pwd|sid|sig|sign)$/i
const idempotencyKey = /^(?:x[-_])?idempotency[-_]?key$/i

/** Masks tokens and MACs by their form, and secrets by their names. The customers are the developer's own. */
export class Mask {
  readonly #known: readonly string[]

  constructor(known: readonly (string | undefined)[]) {
    const secrets = known.filter((secret) => secret !== undefined && secret !== '').map(String)
    this.#known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
  }

  /** A text or a path, with the secrets in its queries masked by their names. */
  text(text: string): string {
    const masked = text
      .replace(token, MASK)
      .replace(mac, `$1${MASK}`)
      .replace(userInfo, `$1${MASK}@`)
      .replace(pair, (whole: string, before: string, name: string) =>
        isSecret(decoded(name) ?? name) ? `${before}${name}=${MASK}` : whole,
      )
    return this.#known.reduce((text, secret) => text.replaceAll(secret, MASK), masked)
  }

  /** A URL; the path of a callback URL is a secret that the merchant shares with the gateway. */
  url(url: string): string {
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    return this.text(path.replace(opaque, MASK) + url.slice(path.length))
  }

  /** The value of a header or a field: masked whole where the name says that it is a secret. */
  named(name: string, value: string): string {
    if (isSecret(name)) return MASK
    return url.test(value) ? this.url(value) : this.text(value)
  }

  headers(headers: Readonly<Record<string, string>>) {
    return Object.entries(headers).map(([name, value]) => [name, this.named(name, value)] as const)
  }

  /** What JSON can hold, under a name; everything in it is masked by the names there. */
  value(name: string, value: unknown): unknown {
    if (isSecret(name)) return MASK
    if (typeof value === 'string') return this.named(name, value)
    if (Array.isArray(value)) return value.map((entry) => this.value('', entry))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [this.text(key), this.value(key, field)]),
    )
  }

  /** A body as indented JSON. Anything else is not shown: where its secrets are is not known. */
  body(bytes: Uint8Array): string | null {
    if (bytes.length === 0) return null
    const value = jsonOf(Buffer.from(bytes).toString('utf8'))
    if (value === undefined) return `Not JSON, so not shown: ${bytes.length} bytes.`
    return shown(JSON.stringify(this.value('', value), null, 2))
  }

  /** What a merchant's server answered: JSON like other bodies, anything else as it is. */
  responseBody(body: string | undefined): string | null {
    if (body === undefined) return null
    return jsonOf(body) === undefined ? shown(this.text(body)) : this.body(Buffer.from(body))
  }
}

/** Whether the name of a header, a field or a query says that its value is a secret. */
function isSecret(name: string): boolean {
  return secretName.test(name) && !idempotencyKey.test(name)
}

/** Cut where it is long, and with what an editor does not show as JSON escapes it; lines stay. */
function shown(text: string): string {
  const lines = text.split('\n').map(visible).join('\n')
  return lines.length > MOST_SHOWN ? `${lines.slice(0, MOST_SHOWN)}\n… ${lines.length} characters` : lines
}
