import { jsonOf } from '../../../../../src/client/input/json.js'
import { isObject } from '../../../../../src/client/input/own.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import { amountText } from '../text/amount-text.js'
import { scopeLines } from './token-scope.js'

/** Deeper than this nothing is shown. */
const MAX_DEPTH = 40

/** The text of each request that is over, for as long as the log keeps the request. */
const texts = new WeakMap<LoggedRequest, string>()

/**
 * Whether what the page shows of a request holds all the words. Secrets are masked here as they are there, so that
 * nobody finds them out by searching.
 *
 * @param words in lower case
 * @param what what the request means
 */
export function hasWords(
  request: LoggedRequest,
  what: () => string,
  words: readonly string[],
  mask: Mask,
): boolean {
  if (words.length === 0) return true
  const text = texts.get(request) ?? textOf(request, what(), mask)
  if (request.duration !== undefined) texts.set(request, text)
  return words.every((word) => text.includes(word))
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
  if (!isObject(value)) return []
  const { amount, currencyCode } = value
  const isMoney = typeof amount === 'number' && typeof currencyCode === 'string'
  const own = isMoney ? [`${amountText(amount, currencyCode)} ${currencyCode}`] : []
  return [...own, ...Object.values(value).flatMap((entry) => amountsIn(entry, depth + 1))]
}
