import { readAct, showsSecret } from './act-text.js'
import { withoutSecretPairs } from './secret-pairs.js'
import { leftOut, takesSecret, unquoted, wordsOf } from './shell-words.js'

/** Forms of a secret that nobody can mistake, and what is too long and too mixed to be a word. */
const certain =
  /\b(?:basic|digest|negotiate)\s+[\w+/=-]{6,}|\b(?:(?:[spr]k|whsec|gh[a-z]|npm)_|glpat-|xox[a-z]-|AKIA)[\w-]{10,}/i
const long = /[\w+=-]{20,}/g
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * What somebody wrote into an act or an option, as a report may show it: what is, or may be, a secret or a
 * customer's stands there as `[left out]`. Undefined when it can't be told: then none of it may be shown.
 *
 * @example
 * ```ts
 * exportedText('curl -u jane:secret localhost:3000/{n}') // 'curl -u [left out] localhost:3000/{n}'
 * ```
 */
export function exportedText(text: string): string | undefined {
  if (showsSecret(text)) return undefined
  const shown = readAct(text).kind === 'http' ? withoutSecretPairs(text) : command(text)
  if (shown === undefined) return undefined
  const rest = shown.replaceAll(leftOut, '')
  if (certain.test(rest) || [...rest.matchAll(long)].some(([run]) => isOpaque(run))) return undefined
  const plain = decoded(rest)
  return plain !== rest && withoutSecretPairs(plain) !== plain ? undefined : shown
}

function command(text: string): string | undefined {
  const words = wordsOf(text)
  if (words === undefined || /password-stdin/i.test(text)) return undefined
  let shown = ''
  let previous = ''
  for (const { space, word } of words) {
    const bare = unquoted(word)
    const safe = isReference(bare) ? bare : withoutSecret(bare, previous)
    if (safe === undefined) return undefined
    shown += space + (safe === bare ? word : quoted(safe))
    previous = bare
  }
  return shown
}

function withoutSecret(bare: string, previous: string): string | undefined {
  const [, option = '', value] = /^(--?[\w-]+)=(.*)$/s.exec(bare) ?? []
  if (value !== undefined && !isReference(value) && takesSecret(option, value)) return `${option}=${leftOut}`
  const [, short = '', attached = ''] = /^(-[a-z])(.+)$/is.exec(bare) ?? []
  if (/^-[uU]$/.test(short) && attached.includes(':')) return short + leftOut
  if (takesSecret(previous, bare)) return leftOut
  return withoutSecretPairs(bare)
}

/** What is named here and stands elsewhere, as in `Authorization: Bearer $TOKEN`. */
function isReference(text: string): boolean {
  return /^(?:[\w-]+:\s*)?(?:(?:basic|bearer|token)\s+)?(?:(?:\$\w+|\$\{\w+\}|\{n\}):?)+$/i.test(text)
}

function quoted(text: string): string {
  return /\s/.test(text.replaceAll(leftOut, '')) ? `'${text.replaceAll("'", "'\\''")}'` : text
}

/** Letters and digits mixed as nobody names anything. */
function isOpaque(run: string): boolean {
  if (uuid.test(run)) return false
  const changes = [...run.matchAll(/[a-z](?=\d)|\d(?=[a-z])/gi)].length
  return changes > 3 || (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run))
}

function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
  )
}
