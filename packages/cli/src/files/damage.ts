import { damageOf } from 'merchant-gateway'

/** What a field of a payout holds. A name may hold more than an id or an account. */
export type FieldKind = 'id' | 'amount' | 'account' | 'name' | 'other'

const allButNames: readonly FieldKind[] = ['id', 'amount', 'account', 'other']
const every: readonly FieldKind[] = [...allButNames, 'name']

const encoding = /[ÂÃÄÅÐÑ][\u0080-\u009f\u00a1-\u00ba\u00bc-\u00bf€‚ƒ„…†‡ˆ‰‹‘“•—˜™›]/
const html = /&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+|[a-z](?:uml|acute|grave|caron));/i
const missing = /^(?:null|undefined|nan|none|nil|n\/a|true|false)$/i
const decimals = /^\d+[.,]\d{1,2}$|^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3})+,\d+$/
// As spreadsheets write them, in some languages.
const month =
  '(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr?|mars|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro)\\.?'
const date = new RegExp(
  `^(?:\\d{1,2}[-. /]{1,2}${month}(?:[-. /]+\\d{2,4})?|${month}[-. /]{1,2}\\d{2,4}|(?:19|20)\\d\\d[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}([-/.])\\d{1,2}\\1(?:19|20)\\d\\d|\\d{1,2}/\\d{1,2}/\\d\\d)(?:[ T]\\d{1,2}:\\d\\d.{0,10})?$`,
  'iu',
)

/** What else is certain of a file, beside what the client sends to nobody: in which fields, and how it is said. */
const damages: readonly (readonly [readonly FieldKind[], RegExp, string])[] = [
  // UTF-8 that was read as Windows-1252.
  [every, encoding, 'holds letters that were read in the wrong encoding'],
  [every, html, 'holds a sign as HTML writes it (&…;)'],
  [every, /^=/, 'is a formula'],
  [allButNames, missing, 'is what a program writes for a missing value'],
  [allButNames, /^['’`"]/, 'begins with a quote'],
  [['id'], /^\d+[.,]0+$/, 'is a number with a decimal'],
  [['account'], decimals, 'is a number with decimals or thousands'],
  [['amount', 'account'], date, 'is a date'],
]

/** What is certainly wrong with a text, without any of it; undefined when it may be right. */
export function damageIn(text: string, kind: FieldKind): string | undefined {
  // Names of some languages are written with U+200C and U+200D, and any blank may stand between two of them.
  const seen = kind === 'name' ? text.replace(/\u200c|\u200d|\p{Zs}/gu, ' ') : text
  return damageOf(seen) ?? damages.find(([kinds, pattern]) => kinds.includes(kind) && pattern.test(text))?.[2]
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
