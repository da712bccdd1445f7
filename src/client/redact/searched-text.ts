import type { Decoding } from './decodings.js'
import { fold } from './fold.js'
import { pieceLength, type SearchTerm } from './search-terms.js'

/** Of what is longer than a signature, piece is looked for after piece, and not one at every character. */
const longestInFull = 512

/** A decoding of a text, to search in. */
export class SearchedText {
  readonly #decoding: Decoding
  /** What is searched: the decoding itself, or what `fold` makes of it. */
  #text = ''
  /** For each unit of `#text`, where it begins and ends in the decoding. */
  readonly #from: number[] = []
  readonly #to: number[] = []
  /** Those units before which something was left out. */
  readonly #apart = new Set<number>()
  #pieces: Map<string, number[]> | undefined
  /** Pieces whose places are hidden: another secret that holds them has nothing to add. */
  readonly #done = new Set<string>()

  constructor(decoding: Decoding, folded: boolean) {
    this.#decoding = decoding
    const kept = new Map<string, string>()
    let at = 0
    for (const character of decoding.text) {
      const end = at + character.length
      const text = folded ? (kept.get(character) ?? fold(character)) : character
      kept.set(character, text)
      this.#text += text
      for (let unit = 0; unit < text.length; unit++) {
        this.#from.push(at)
        this.#to.push(end)
      }
      if (text === '') this.#leaveOut(character, end)
      at = end
    }
  }

  /** An accent belongs to its letter; anything else that is left out keeps two letters apart. */
  #leaveOut(character: string, end: number): void {
    if (!/[\p{M}\p{Cf}]/u.test(character.normalize('NFKD'))) this.#apart.add(this.#text.length)
    else if (this.#to.length > 0) this.#to[this.#to.length - 1] = end
  }

  /** Marks where it stands, in the text that was read. */
  hide(term: SearchTerm, hides: Uint8Array): void {
    const { from, to } = this.#decoding
    for (const [begin, end] of this.#occurrences(term.text)) {
      if ((term.solid && !this.#isSolid(begin, end)) || (term.word && !this.#isWord(begin, end))) continue
      const [first, next] = this.#withEnds(term, this.#from[begin] ?? 0, this.#to[end - 1] ?? 0)
      hides.fill(1, from[first], to[next - 1])
    }
  }

  *#occurrences(term: string): Generator<readonly [begin: number, end: number]> {
    if (term.length >= 2 * pieceLength) return yield* this.#parts(term)
    for (let at = this.#text.indexOf(term); at >= 0; at = this.#text.indexOf(term, at + 1)) {
      yield [at, at + term.length]
    }
  }

  /** Piece by piece, and each with what goes on like it at both ends: linear in the secret, whatever is in it. */
  *#parts(term: string): Generator<readonly [begin: number, end: number]> {
    this.#pieces ??= piecesOf(this.#text)
    if (this.#pieces.size === 0) return
    const step = term.length > longestInFull ? pieceLength : 1
    for (let next = 0; next < term.length; next += step) {
      const at = Math.min(next, term.length - pieceLength)
      const piece = term.slice(at, at + pieceLength)
      const places = this.#pieces.get(piece)
      if (places === undefined || this.#done.has(piece)) continue
      this.#done.add(piece)
      for (const place of places) {
        let before = 0
        while (before < pieceLength && this.#same(term, at - before - 1, place - before - 1)) before++
        let after = pieceLength
        while (after < 2 * pieceLength && this.#same(term, at + after, place + after)) after++
        yield [place - before, place + after]
      }
    }
  }

  #same(term: string, at: number, place: number): boolean {
    return at >= 0 && place >= 0 && at < term.length && term[at] === this.#text[place]
  }

  #isSolid(begin: number, end: number): boolean {
    for (let at = begin + 1; at < end; at++) if (this.#apart.has(at)) return false
    return true
  }

  #isWord(begin: number, end: number): boolean {
    const { [begin - 1]: before = '', [end]: after = '' } = this.#text
    return (this.#apart.has(begin) || !/[A-Z]/.test(before)) && (this.#apart.has(end) || !/[A-Z]/.test(after))
  }

  #withEnds({ head, tail }: SearchTerm, begin: number, end: number): readonly [begin: number, end: number] {
    const { text } = this.#decoding
    let first = begin
    while (first > 0 && begin - first < head.length && text[first - 1] === head.at(first - begin - 1)) first--
    let next = end
    while (next - end < tail.length && text[next] === tail[next - end]) next++
    return [first, next]
  }
}

/** Where each piece of a text begins. */
function piecesOf(text: string): Map<string, number[]> {
  const pieces = new Map<string, number[]>()
  for (let at = 0; at + pieceLength <= text.length; at++) {
    const piece = text.slice(at, at + pieceLength)
    const places = pieces.get(piece)
    if (places === undefined) pieces.set(piece, [at])
    else places.push(at)
  }
  return pieces
}
