import { fold } from './fold.js'
import { pieceLength, type SearchTerm } from './search-terms.js'

/** A header, a code, a short message. */
const longestLooked = 128
/** ASCII without anything that could be a spelling of something else. */
const plain = /^[\0-$'-[\]-\x7f]*$/
/** Wherever a piece stands in a text, it holds one of these that begins at a multiple of its length. */
const blockLength = pieceLength / 2

/**
 * Whether a short text shows at first sight that nothing of these is in it, as nearly all that is shown does: a full
 * search makes maps of the text and of every secret.
 */
export function isPlainlyWithout(text: string, terms: readonly SearchTerm[]): boolean {
  if (text.length > longestLooked || !plain.test(text)) return false
  const folded = fold(text)
  return terms.every((term) => !mayHold(term.literal ? text : folded, term.text))
}

/** Of a long one, pieces count as well. */
function mayHold(text: string, term: string): boolean {
  if (term.length < 2 * pieceLength) return text.includes(term)
  for (let at = 0; at + blockLength <= text.length; at += blockLength) {
    if (term.includes(text.slice(at, at + blockLength))) return true
  }
  return false
}
