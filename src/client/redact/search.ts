import { fold, foldWords } from './fold.js'
import { readingsOf } from './readings.js'
import { formsOf, spellingsOf } from './spellings.js'

/** Of what is longer, a part is enough: who quotes it may quote but a part. */
const longestInFull = 32
/** So much of it is a part. */
const pieceLength = 16
/** Wherever a piece stands, it holds one of these that begins at a multiple of its length. */
const blockLength = pieceLength / 2
/** Nonsense has any three letters in it; six in a row that are somebody's it does not have. */
const shortestUnpacked = 6

/**
 * Finds secrets in texts, however they are spelled there: in any letter case and form of Unicode, without accents,
 * with blanks and signs between their characters, as URLs, HTML and JSON escape them, in base64 and in hex. Short ones
 * must stand by themselves, so that "Ann" is not in "cannot"; a single character is not looked for.
 */
export class Search {
  /** Compared as they are. */
  readonly #exact: string[] = []
  /** Compared by letters and digits, whatever stands between them. */
  readonly #anywhere: string[] = []
  /** The same with nothing between them: "Anno" is not in "plan now". */
  readonly #inWords: string[] = []
  readonly #words: RegExp[] = []
  /** The long ones, and all blocks that they are made of. */
  #long = ''
  readonly #blocks = new Set<string>()

  constructor(secrets: readonly string[]) {
    for (const secret of new Set(secrets)) for (const spelling of spellingsOf(secret)) this.#add(spelling)
  }

  /** @throws {RangeError} where a text can be read in too many ways. */
  finds(text: string): boolean {
    const { plain, unpacked } = readingsOf(text)
    return (
      plain.some((reading) => this.#isIn(reading)) ||
      unpacked.some((reading) => this.#isIn(reading, shortestUnpacked))
    )
  }

  #add(spelling: string): void {
    const text = fold(spelling)
    const isWord = /^[\p{L}\p{M}]*$/u.test(spelling)
    // Too little is left to compare.
    if (text.length < 3 || (text.length === 3 && !isWord)) this.#exact.push(...formsOf(spelling))
    if (text.length >= longestInFull) this.#addLong(text)
    else if (/^[A-Z]{2,3}$/.test(text)) this.#words.push(new RegExp(`(?<![A-Z])${text}(?![A-Z])`))
    else if (/^[A-Z\d]{2}$/.test(text)) this.#words.push(new RegExp(`(?<![A-Z\\d])${text}(?![A-Z\\d])`))
    else if (/^[A-Z]{4,7}$/.test(text) && isWord) this.#inWords.push(text)
    else if (text.length > 1) this.#anywhere.push(text)
  }

  #addLong(text: string): void {
    this.#long += `${text} `
    for (let at = 0; at + blockLength <= text.length; at += blockLength) {
      this.#blocks.add(text.slice(at, at + blockLength))
    }
  }

  /** @param shortest shorter ones are not looked for. */
  #isIn(reading: string, shortest = 0): boolean {
    const folded = fold(reading)
    const words = this.#inWords.length + this.#words.length > 0 ? foldWords(reading) : ''
    const isAny = (texts: readonly string[], where: string) =>
      texts.some((text) => text.length >= shortest && where.includes(text))
    return (
      isAny(this.#anywhere, folded) ||
      isAny(this.#inWords, words) ||
      isAny(this.#exact, reading) ||
      (shortest === 0 && this.#words.some((word) => word.test(words))) ||
      this.#hasPiece(folded)
    )
  }

  #hasPiece(folded: string): boolean {
    for (let at = 0; at + blockLength <= folded.length; at++) {
      if (!this.#blocks.has(folded.slice(at, at + blockLength))) continue
      for (let from = Math.max(0, at - blockLength); from <= at; from++) {
        const piece = folded.slice(from, from + pieceLength)
        if (piece.length === pieceLength && this.#long.includes(piece)) return true
      }
    }
    return false
  }
}
