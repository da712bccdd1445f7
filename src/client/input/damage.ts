const damages: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\ufffd/, 'holds a character that was lost in an encoding (U+FFFD)'],
  // Control and direction characters, those without a width, halves of characters, and blanks that only look like one.
  [/(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/u, 'holds a character that nobody can see'],
  [/^#+$/, 'is what a spreadsheet shows in a narrow column'],
  // #N/A, #REF!, #NAME?, and the same in other languages.
  [/^#(?:[\p{Lu}¡¿/_0]{2,20}[!?]|N\/?[ADV])$/u, 'is an error of a spreadsheet'],
  [
    /^(?:NULL|null|\(null\)|undefined|NaN|\[object Object\])$/,
    'is what a program writes for a missing value',
  ],
  [/^[+-]?\d+(?:[.,]\d+)?e[+-]\d+$|^\d[.,]\d+e\d+$/i, 'is a number in scientific notation'],
]

/**
 * What a spreadsheet, an export or a program has done to a text so that it is certainly not what was meant: errors such
 * as `#N/A`, numbers in scientific notation, characters that nobody can see, `NULL` and `undefined`. Payouts are
 * not sent to such an account.
 *
 * @param text an account, an id or another short text of one line.
 * @returns how a sentence about it goes on, without any of it; `undefined` when it may be right.
 * @example
 * damageOf('1.23457E+15') // 'is a number in scientific notation'
 */
export function damageOf(text: string): string | undefined {
  return firstOf(damages, text)
}

/** What is certain of an account alone: an id or a name may begin with a quote, or look like a date. */
const ofAccounts: typeof damages = [
  [/^[='’`"]/, 'begins with "=" or a quote'],
  [/^\d+[.,]0+$/, 'is a number with decimals'],
  // As spreadsheets write 12-Mar, Mar-26 and 12-Mar-26.
  [/^\d{1,2}-[A-Z][a-z]{2}(?:-\d+)?$|^[A-Z][a-z]{2}-\d+$/, 'is a date'],
  // As gateways show the account of a payment.
  [/[*•…]/, 'is masked'],
]

/** The same of an account that money goes to. */
export function damageOfAccount(text: string): string | undefined {
  return damageOf(text) ?? firstOf(ofAccounts, text)
}

/** Blanks around it hide no damage. */
function firstOf(all: typeof damages, text: string): string | undefined {
  const inside = text.replace(/^ +| +$/g, '')
  return all.find(([pattern]) => pattern.test(inside))?.[1]
}
