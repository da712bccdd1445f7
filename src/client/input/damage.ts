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
  return damages.find(([pattern]) => pattern.test(text))?.[1]
}
