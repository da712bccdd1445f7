import { visible } from '../input/visible.js'
import { decodingsOf } from './decodings.js'
import { type Hide, mask } from './mask.js'
import { isPlainlyWithout } from './plainly-without.js'
import { type SearchTerm, searchTermsOf } from './search-terms.js'
import { SearchedText } from './searched-text.js'

/** The end of a callback URL, whoever of the merchant's processes has signed it. */
const signedSegment = /\b[12]\.[\w-]{8}\.pay(?:in|out)\.[\w-]{2,}\.[\w-]{16,}/g
/** More of a text is not looked through, and not shown. */
const mostRead = 8192
/** Where a text was cut, the beginning of a secret can't be told from other text: so much is left out. */
const cutMargin = 512
/** A call has a dozen secrets of some thousand characters; with many more, nothing from outside is shown. */
const mostTerms = 1000
const mostCharacters = 100_000

/**
 * Hides secrets in what came from outside: in any letter case and form of Unicode, without accents, and as
 * URLs, HTML and JSON spell them. It searches, and makes no pattern of what it searches for: an engine may
 * refuse a pattern, and quotes it when it does. What is left is on one line, with nothing in it that does not show.
 */
export function hiding(secrets: readonly string[]): Hide {
  let terms: readonly SearchTerm[] | undefined
  return (text) => {
    try {
      terms ??= isTooMuch(secrets) ? undefined : searchTermsOf(secrets, mostTerms)
      return terms === undefined || terms.length > mostTerms
        ? mask
        : visible(hidden(text, terms).replace(signedSegment, mask))
    } catch {
      // Whatever it is: the text has not been looked through, so none of it is shown.
      return mask
    }
  }
}

function isTooMuch(secrets: readonly string[]): boolean {
  return secrets.reduce((sum, { length }) => sum + length, 0) > mostCharacters
}

function hidden(whole: string, terms: readonly SearchTerm[]): string {
  if (isPlainlyWithout(whole, terms)) return whole
  const text = whole.slice(0, mostRead)
  const hides = new Uint8Array(text.length)
  if (text.length < whole.length) hides.fill(1, -cutMargin)
  const [exact, folded] = [terms.filter(({ literal }) => literal), terms.filter(({ literal }) => !literal)]
  for (const decoding of terms.length > 0 ? decodingsOf(text) : []) {
    if (folded.length > 0) hideAll(new SearchedText(decoding, true), folded, hides)
    if (exact.length > 0) hideAll(new SearchedText(decoding, false), exact, hides)
  }
  return masked(text, hides)
}

function hideAll(searched: SearchedText, terms: readonly SearchTerm[], hides: Uint8Array): void {
  for (const term of terms) searched.hide(term, hides)
}

function masked(text: string, hides: Uint8Array): string {
  let shown = ''
  let at = 0
  while (at < text.length) {
    const begin = hides.indexOf(1, at)
    if (begin < 0) return shown + text.slice(at)
    const end = hides.indexOf(0, begin)
    shown += text.slice(at, begin) + mask
    at = end < 0 ? text.length : end
  }
  return shown
}
