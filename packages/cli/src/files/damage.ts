import { damageOf } from 'merchant-gateway'

/** What a field of a payout holds. A name may hold more than an id or an account. */
export type FieldKind = 'id' | 'amount' | 'account' | 'name' | 'other'

const allButNames: readonly FieldKind[] = ['id', 'amount', 'account', 'other']
const every: readonly FieldKind[] = [...allButNames, 'name']

// Windows-1252, 1250 and 1251: the first of two bytes, and a second one that is no letter.
const encoding =
  /[ÂÃÄÅÐÑĂĹ][\u0080-\u009f\u00a1-\u00ba\u00bc-\u00bf€‚ƒ„…†‡ˆ‰‹‘“•—˜™›ˇ˘˝]|[РС][\u0080-\u009f°±µ¶·‚„…†‡€‰‹•›]/
// What an export writes for a letter that its encoding doesn't have.
const lost = /\p{Ll}\?+\p{Ll}|^\?+$/u
const html = /&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+|[a-z](?:uml|acute|grave|caron));/i
const missing = /^(?:<?null>?|undefined|nan|none|nil|n\/a|<na>|\\n|[-+]?inf(?:inity)?|true|false)$/i
const decimals = /^\d+[.,](?:\d{1,2}|0+)$|^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3})+,\d+$/
// As spreadsheets write them, in some languages.
const month =
  '(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr?|mars|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro)\\.?'
const date = new RegExp(
  `^(?:\\d{1,2}[-. /]{1,2}${month}(?:[-. /]+\\d{2,4})?|${month}[-. /]{1,2}\\d{2,4}|(?:19|20)\\d\\d[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}([-/.])\\d{1,2}\\1(?:19|20)\\d\\d|\\d{1,2}/\\d{1,2}/\\d\\d)(?:[ T]\\d{1,2}:\\d\\d.{0,10})?$`,
  'iu',
)

/** What else is certain of a file, beside what the client sends to nobody: in which fields, and how it is said. */
const damages: readonly (readonly [readonly FieldKind[], RegExp, string])[] = [
  // UTF-8 that was read as one of them.
  [every, encoding, 'holds letters that were read in the wrong encoding'],
  [['name'], lost, 'holds a question mark for a letter that was lost in an encoding'],
  [every, html, 'holds a sign as HTML writes it (&…;)'],
  [every, /^=/, 'is a formula'],
  [allButNames, missing, 'is what a program writes for a missing value'],
  [allButNames, /^['’`"]/, 'begins with a quote'],
  [['id', 'other'], /^\d+[.,]0+$/, 'is a number with a decimal'],
  [['account'], decimals, 'is a number with decimals or thousands'],
  [['amount', 'account'], date, 'is a date'],
  [['amount', 'account'], /^\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?$/i, 'is a time'],
  // Err:502 of LibreOffice, and the same in other languages.
  [['amount', 'account'], /^\p{L}{3,8}:\d{3}$|^#GETTING_DATA$/u, 'is an error of a spreadsheet'],
  [['account'], /^[^\p{L}\p{N}]+$/u, 'has neither a letter nor a digit'],
  [['account'], /^0$/, 'is what a spreadsheet makes of an empty cell'],
]

/** What is certainly wrong with a text, without any of it; undefined when it may be right. */
export function damageIn(text: string, kind: FieldKind): string | undefined {
  // Names of some languages are written with U+200C and U+200D, and any blank may stand between two of them.
  const seen = kind === 'name' ? text.replace(/\u200c|\u200d|\p{Zs}/gu, ' ') : text
  const inside = text.trim()
  return (
    damageOf(seen) ?? damages.find(([kinds, pattern]) => kinds.includes(kind) && pattern.test(inside))?.[2]
  )
}

/** Whether an account has the form of an IBAN and fails its check digits (ISO 7064, MOD 97-10). */
export function isWrongIban(account: string): boolean {
  const iban = account.replace(/[ -]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  const check = Number(iban.slice(2, 4))
  return BigInt(digits) % 97n !== 1n || check < 2 || check > 98
}
