import { fold } from './fold.js'

/** What is longer is no name that somebody would spell in another way. */
const longestName = 200
const shortestName = 3

/** Other letters for the same name; what is ASCII has none. */
export function spellingsOf(secret: string): readonly string[] {
  const isName = secret.length >= shortestName && secret.length <= longestName
  if (!isName || /^[\0-\x7f]*$/.test(secret)) return [secret]
  const composed = secret.normalize('NFC')
  // Banks write "Mueller"; a page of another encoding says "MÃ¼ller", or has nothing where the ü was.
  const transcribed = composed.replace(/[äöüø]/gi, '$&e').replace(/å/gi, '$&a')
  const misread = Buffer.from(composed).toString('latin1')
  const lossy = composed.replace(/[^\0-\x7f]+/g, '')
  return [secret, transcribed, misread, ...(fold(lossy).length > shortestName ? [lossy] : [])]
}

/** The forms of a text that is compared as it is, since `fold` would leave too little of it. */
export function formsOf(text: string): readonly string[] {
  if (text.length < shortestName) return []
  if (text.length > longestName) return [text]
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form))
  const spaced = [text.replaceAll(' ', '+'), text.replace(/\s+/g, ' ').trim()]
  const all = [text, ...spaced, ...forms].flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()])
  return all.filter(({ length }) => length >= shortestName)
}
