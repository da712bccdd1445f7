import { jsonOf } from '../../../../../src/client/input/json-of.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import type { Mask } from '../mask/mask.js'
import { amountText } from '../text/amount-text.js'
import { scopeLines } from './token-scope.js'

/** As much as the log itself keeps at most. */
const MAX_BYTES = 32 * 1024 * 1024
/** Deeper than this nothing is shown. */
const MAX_DEPTH = 40
/** What an entry costs beside its text, roughly. */
const ENTRY_BYTES = 150

/**
 * Searches requests in what the page shows of them: secrets are masked here as they are there, so that nobody
 * finds them out by searching. What it has put together is kept for the next search, as long as the log has the
 * request and up to a number of bytes; what does not fit is put together again.
 */
export class RequestSearch {
  readonly #mask: Mask
  readonly #maxBytes: number
  readonly #texts = new Map<number, Buffer>()
  #bytes = 0

  constructor(mask: Mask, maxBytes = MAX_BYTES) {
    this.#mask = mask
    this.#maxBytes = maxBytes
  }

  /** How much is kept, roughly. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Whether a request holds all the words.
   *
   * @param words in lower case
   * @param what what the request means
   */
  hasWords(request: LoggedRequest, what: () => string, words: readonly string[]): boolean {
    if (words.length === 0) return true
    const known = this.#texts.get(request.number)
    if (known !== undefined) return words.every((word) => known.includes(word))
    const text = textOf(request, what(), this.#mask)
    if (request.duration !== undefined) this.#keep(request.number, text)
    return words.every((word) => text.includes(word))
  }

  /** Forgets what the log has forgotten: all before its oldest. */
  follow(log: readonly LoggedRequest[]): void {
    const oldest = log[0]?.number ?? Number.POSITIVE_INFINITY
    for (const [number, bytes] of this.#texts) {
      if (number >= oldest) continue
      this.#texts.delete(number)
      this.#bytes -= bytes.length + ENTRY_BYTES
    }
  }

  #keep(number: number, text: string): void {
    const bytes = Buffer.from(text)
    if (this.#bytes + bytes.length + ENTRY_BYTES > this.#maxBytes) return
    this.#texts.set(number, bytes)
    this.#bytes += bytes.length + ENTRY_BYTES
  }
}

/** Everything that is shown of it, in lower case; how it is spaced is no matter, because words are searched. */
function textOf(request: LoggedRequest, what: string, mask: Mask): string {
  const { number, method, path, route, id, status, verdict, fault, headers, sentAnswer, grant } = request
  const sent = [method, path, route, id, status, verdict, fault, number].map((part) =>
    mask.text(String(part ?? '')),
  )
  return [
    ...sent,
    what,
    ...headerTexts(headers, mask),
    ...headerTexts(sentAnswer?.headers ?? {}, mask),
    ...bodyTexts(request.bodyBytes, mask),
    ...bodyTexts(Buffer.from(sentAnswer?.body ?? ''), mask),
    ...(grant === undefined ? [] : scopeLines(grant.scope).map((line) => mask.text(line))),
  ]
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
}

function headerTexts(headers: Readonly<Record<string, string>>, mask: Mask): string[] {
  return Object.entries(headers).map(([name, value]) => `${name} ${mask.named(name, value)}`)
}

/** A body as it is shown, and its amounts as the page writes amounts: 12.50 for 12.5 EUR. */
function bodyTexts(bytes: Uint8Array, mask: Mask): string[] {
  const shown = mask.body(bytes)
  return shown === null ? [] : [shown, ...amountsIn(jsonOf(Buffer.from(bytes).toString('utf8')))]
}

function amountsIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((entry) => amountsIn(entry, depth + 1))
  if (!isRecord(value)) return []
  const { amount, currencyCode } = value
  const isMoney = typeof amount === 'number' && typeof currencyCode === 'string'
  const own = isMoney ? [`${amountText(amount, currencyCode)} ${currencyCode}`] : []
  return [...own, ...Object.values(value).flatMap((entry) => amountsIn(entry, depth + 1))]
}
