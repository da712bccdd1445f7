import { jsonOf } from '../../../../../src/client/input/json-of.js'
import { visibleLines } from '../../../../../src/client/input/visible.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { sensitivityOf } from '../../../rehearse/sensitive-names.js'
import { shownPairs } from './mask-pairs.js'

const MASK = '[redacted]'
const MAX_SHOWN = 6000
/** What a token, or a callback URL's signed segment, can be in: found in one pass, whatever a stranger has sent. */
const dotted = /[\w-]+(?:(?:\.|%2e)[\w-]*)*/gi
/** The signed segment of a callback URL up to its MAC: whoever has all of it can have the merchant look a payment up. */
const beforeMac = /([12](?:\.|%2e)[\w-]{8}(?:\.|%2e)(?:payin|payout)(?:\.|%2e)[\w-]+(?:\.|%2e))[\w-]+/gi
const userInfo = /([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]*@/gi
/** Long enough to be what lets somebody in; a UUID is an id. */
const opaque = /(?<=\/)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))[\w-]{32,}/gi
/** Deeper than this nobody reads, and each level costs as much again for its indentation. */
const MAX_DEPTH = 40

/** Masks what the page must not show: tokens and signatures by their form, and the rest by the name that it goes by. */
export class Mask {
  readonly #known: readonly string[]

  constructor(known: readonly (string | undefined)[]) {
    const secrets = known.filter((secret) => secret !== undefined && secret !== '').map(String)
    this.#known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
  }

  /** A text or a path, with the values of its queries masked by their names. */
  text(text: string): string {
    const withoutTokens = text.replace(dotted, withoutToken).replace(userInfo, `$1${MASK}@`)
    const shown = shownPairs(withoutTokens, (name, value) => this.named(name, value))
    return this.#known.reduce((masked, secret) => masked.replaceAll(secret, MASK), shown)
  }

  /**
   * The value of a header or a field: masked whole where the name says that it is a secret, and in part where
   * it is about a customer, so that customers can be told apart.
   */
  named(name: string, value: string): string {
    switch (sensitivityOf(name)) {
      case 'secret':
        return MASK
      case 'account number':
        return value.length > 6 ? `…${value.slice(-4)}` : MASK
      case 'customer':
        return `${value.slice(0, 1)}…`
      default:
        return /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? this.url(value) : this.text(value)
    }
  }

  /**
   * A URL without its user and password, and without what in its path may let somebody in: a callback URL is
   * a secret that the merchant shares with the gateway.
   */
  url(url: string): string {
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    return this.text(path.replace(opaque, MASK) + url.slice(path.length))
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
  value(name: string, value: unknown): unknown {
    return this.#walk(value, name, 0)
  }

  /** @param name of the field that it is the value of, or that it is somewhere in, where that name says to hide it */
  #walk(value: unknown, name: string, depth: number): unknown {
    if (depth > MAX_DEPTH) return '…'
    if (typeof value === 'string') return this.#string(value, name, depth)
    if (typeof value === 'number') return isHidden(name) ? this.named(name, String(value)) : value
    if (Array.isArray(value)) return value.map((entry) => this.#walk(entry, name, depth + 1))
    if (!isRecord(value)) return value
    const entries = Object.entries(value).map(([key, field]) => [
      this.text(key),
      sensitivityOf(key) === 'secret' ? MASK : this.#walk(field, isHidden(name) ? name : key, depth + 1),
    ])
    return Object.fromEntries(entries)
  }

  /** A text that holds JSON itself, as that of a body that was written twice, is masked as what it holds. */
  #string(value: string, name: string, depth: number): string {
    const inside = /^\s*[[{]/.test(value) ? jsonOf(value) : undefined
    return inside === undefined
      ? this.named(name, value)
      : JSON.stringify(this.#walk(inside, name, depth + 1))
  }
}

function isHidden(name: string): boolean {
  return sensitivityOf(name) !== undefined
}

function withoutToken(run: string): string {
  const at = run.indexOf('eyJ')
  if (at >= 0 && /\.|%2e/i.test(run.slice(at + 7))) return run.slice(0, at) + MASK
  return run.replace(beforeMac, `$1${MASK}`)
}
