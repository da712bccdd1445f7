import { sensitivityOf } from './sensitive-names.js'

/** What stands where something was left out. */
export const leftOut = '[left out]'

/** A word of a command as it was written, and the blanks before it. */
interface Word {
  readonly space: string
  readonly word: string
}

/** What is in quotes belongs to one word. */
const wordForm = /(\s*)((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/gs

/** The words of a command; undefined when a quote does not end, so that nobody can say what belongs together. */
export function wordsOf(command: string): Word[] | undefined {
  const words = [...command.matchAll(wordForm)].map(([, space = '', word = '']) => ({ space, word }))
  const read = words.reduce((sum, { space, word }) => sum + space.length + word.length, 0)
  return read === command.trimEnd().length ? words : undefined
}

/** A word as the shell hands it on. */
export function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_all, single, double, escaped) => {
    return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped
  })
}

/** Of curl: a header's value is shown only where it is known to say nothing. */
const headerOption = /^(?:-H|--header)$/
const harmlessHeader = /^(?:accept|accept-language|content-type|idempotency-key|x-api-version)\s*:/i
const secretOption = /^(?:-[bEuU]|--(?:user|proxy-user|cookie|cert|auth|oauth2-bearer|pass|login-options))$/
/** Names and passwords of other programs, and ports. */
const shortOption = /^-[aApP]$/

/** Whether the word after an option is, or may be, a secret. */
export function takesSecret(option: string, value: string): boolean {
  if (headerOption.test(option)) return !harmlessHeader.test(value)
  if (secretOption.test(option)) return true
  if (shortOption.test(option)) return !/^[\d:.{}n]+$/.test(value) && !value.includes('/')
  return /^--?[a-z]/i.test(option) && sensitivityOf(option.replace(/^--?/, '')) !== undefined
}
