import { fold } from './fold.js'
import type { Reading } from './reading.js'
import type { Sought } from './sought.js'

/** So much of a long secret is recognised wherever it stands: who quotes it may quote but a part. */
const pieceLength = 16
/** Of what is longer than a signature, piece is looked for after piece, and not one at every character. */
const longestInFull = 512

/** A reading of a text, to search in. */
export class Haystack {
  readonly #reading: Reading
  /** What is searched: the reading itself, or what `fold` makes of it. */
  #text = ''
  /** For each unit of `#text`, where it begins and ends in the reading. */
  readonly #from: number[] = []
  readonly #to: number[] = []
  /** Those units before which something was left out. */
  readonly #apart = new Set<number>()
  #pieces: Map<string, number[]> | undefined
  /** Pieces whose places are hidden: another secret that holds them has nothing to add. */
  readonly #done = new Set<string>()

  constructor(reading: Reading, folded: boolean) {
    this.#reading = reading
    const kept = new Map<string, string>()
    let at = 0
    for (const character of reading.text) {
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
  hide(sought: Sought, hides: Uint8Array): void {
    const { from, to } = this.#reading
    for (const [begin, end] of this.#occurrences(sought.text)) {
      if ((sought.solid && !this.#isSolid(begin, end)) || (sought.word && !this.#isWord(begin, end))) continue
      const [first, next] = this.#withEnds(sought, this.#from[begin] ?? 0, this.#to[end - 1] ?? 0)
      hides.fill(1, from[first], to[next - 1])
    }
  }

  *#occurrences(sought: string): Generator<readonly [begin: number, end: number]> {
    if (sought.length >= 2 * pieceLength) return yield* this.#parts(sought)
    for (let at = this.#text.indexOf(sought); at >= 0; at = this.#text.indexOf(sought, at + 1)) {
      yield [at, at + sought.length]
    }
  }

  /** Piece by piece, and each with what goes on like it at both ends: linear in the secret, whatever is in it. */
  *#parts(sought: string): Generator<readonly [begin: number, end: number]> {
    this.#pieces ??= piecesOf(this.#text)
    if (this.#pieces.size === 0) return
    const step = sought.length > longestInFull ? pieceLength : 1
    for (let next = 0; next < sought.length; next += step) {
      const at = Math.min(next, sought.length - pieceLength)
      const piece = sought.slice(at, at + pieceLength)
      const places = this.#pieces.get(piece)
      if (places === undefined || this.#done.has(piece)) continue
      this.#done.add(piece)
      for (const place of places) {
        let before = 0
        while (before < pieceLength && this.#same(sought, at - before - 1, place - before - 1)) before++
        let after = pieceLength
        while (after < 2 * pieceLength && this.#same(sought, at + after, place + after)) after++
        yield [place - before, place + after]
      }
    }
  }

  #same(sought: string, at: number, place: number): boolean {
    return at >= 0 && place >= 0 && at < sought.length && sought[at] === this.#text[place]
  }

  #isSolid(begin: number, end: number): boolean {
    for (let at = begin + 1; at < end; at++) if (this.#apart.has(at)) return false
    return true
  }

  #isWord(begin: number, end: number): boolean {
    const { [begin - 1]: before = '', [end]: after = '' } = this.#text
    return (this.#apart.has(begin) || !/[A-Z]/.test(before)) && (this.#apart.has(end) || !/[A-Z]/.test(after))
  }

  #withEnds({ head, tail }: Sought, begin: number, end: number): readonly [begin: number, end: number] {
    const { text } = this.#reading
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
