import { jsonOf } from '../../../../../../src/client/input/json.js'
import { isObject } from '../../../../../../src/client/input/own.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import { amountText } from '../text/amount-text.js'

/** Deeper than this nothing is shown. */
const MAX_DEPTH = 40

/** The text of each request that is over, for as long as the log keeps the request. */
const texts = new WeakMap<LoggedRequest, string>()

/**
 * Whether what the page shows of a request holds all the words.
 *
 * @param words in lower case
 * @param shown the request in full; its secrets are masked, so that nobody finds them out by searching
 */
export function hasWords(request: LoggedRequest, words: readonly string[], shown: () => object): boolean {
  if (words.length === 0) return true
  const text = texts.get(request) ?? textOf(request, shown())
  if (request.duration !== undefined) texts.set(request, text)
  return words.every((word) => text.includes(word))
}

/** In lower case; how it is spaced is no matter, because words are searched. */
function textOf({ number, status, bodyBytes, sentAnswer }: LoggedRequest, shown: object): string {
  const bodies = [Buffer.from(bodyBytes).toString('utf8'), sentAnswer?.body ?? '']
  const amounts = bodies.flatMap((body) => amountsIn(jsonOf(body)))
  return [number, status, ...textsIn(shown), ...amounts].join(' ').replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Numbers are left out: nobody searches for the digits of a duration. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The amounts of a body as the page writes amounts: 12.50 for 12.5 EUR. */
function amountsIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((entry) => amountsIn(entry, depth + 1))
  if (!isObject(value)) return []
  const { amount, currencyCode } = value
  const isMoney = typeof amount === 'number' && typeof currencyCode === 'string'
  const own = isMoney ? [`${amountText(amount, currencyCode)} ${currencyCode}`] : []
  return [...own, ...Object.values(value).flatMap((entry) => amountsIn(entry, depth + 1))]
}
