import { fold } from './fold.js'

/** One thing to search for. */
export interface SearchTerm {
  readonly text: string
  /** Whether it is compared as it is, since too little of it would be left by `fold`. */
  readonly literal: boolean
  /** Whether it must stand without a blank or anything else in it: "Ann" is not in "plan now". */
  readonly solid: boolean
  /** Whether it must stand alone: "Ann" is not in "cannot". */
  readonly word: boolean
  /** What `fold` left out at its ends, to be hidden along with it. */
  readonly head: string
  readonly tail: string
}

/** So much of a long secret is recognised wherever it stands: who quotes it may quote but a part. */
export const pieceLength = 16
const shortestSecret = 3
/** What is longer is no name that somebody would spell in another way. */
const longestName = 200

/** What to search for, so that no spelling of these secrets is missed; at most one more than `most`. */
export function searchTermsOf(secrets: readonly string[], most: number): readonly SearchTerm[] {
  const found = new Map<string, SearchTerm>()
  for (const secret of new Set(secrets)) {
    if (secret.length < shortestSecret) continue
    for (const spelling of spellingsOf(secret)) {
      const text = fold(spelling)
      const same = found.get(text)
      if (text.length < shortestSecret) for (const form of formsOf(spelling)) found.set(form, literal(form))
      else if (same === undefined || same.solid) found.set(text, { ...traitsOf(spelling, text), text })
    }
    if (found.size > most) break
  }
  return [...found.values()]
}

/** Other letters for the same name; what is ASCII has none. */
function spellingsOf(secret: string): readonly string[] {
  if (secret.length > longestName || /^[\0-\x7f]*$/.test(secret)) return [secret]
  const composed = secret.normalize('NFC')
  // Banks write "Mueller"; a page of another encoding says "MÃ¼ller", or has nothing where the ü was.
  const transcribed = composed.replace(/[äöüø]/gi, '$&e').replace(/å/gi, '$&a')
  const misread = Buffer.from(composed).toString('latin1')
  const lossy = composed.replace(/[^\0-\x7f]+/g, '')
  return [secret, transcribed, misread, ...(fold(lossy).length > shortestSecret ? [lossy] : [])]
}

function traitsOf(spelling: string, folded: string): Omit<SearchTerm, 'text'> {
  const named = spelling.length <= longestName
  return {
    literal: false,
    solid: /^[A-Z]{3,7}$/.test(folded) && /^[\p{L}\p{M}]*$/u.test(spelling),
    word: /^[A-Z]{3}$/.test(folded),
    head: named ? (/^[^\p{L}\p{N}]+/u.exec(spelling)?.[0] ?? '') : '',
    tail: named ? (/[^\p{L}\p{N}\p{M}]+$/u.exec(spelling)?.[0] ?? '') : '',
  }
}

function literal(text: string): SearchTerm {
  return { text, literal: true, solid: false, word: false, head: '', tail: '' }
}

function formsOf(text: string): readonly string[] {
  if (text.length > longestName) return [text]
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form))
  const spaced = [text.replaceAll(' ', '+'), text.replace(/\s+/g, ' ').trim()]
  const all = [text, ...spaced, ...forms].flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()])
  return all.filter(({ length }) => length >= shortestSecret)
}
