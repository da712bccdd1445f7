import { InvalidArgumentError } from 'commander'

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** A path; somebody may have put the key itself in its place. */
export function path(text: string): string {
  if (!/-----(?:BEGIN|END) |^\W*(?:MII|eyJ)|[\r\n]|^.{1025}/.test(text)) return text
  throw new InvalidArgumentError('It holds a key or a token itself, and not the path of a file.')
}

/** The client takes any text, and a token that was pasted here would be sent and printed. */
export function currencyCode(text: string, earlier: readonly string[] | undefined): readonly string[] {
  if (/^[A-Za-z]{3}$/.test(text)) return [...(earlier ?? []), text]
  throw new InvalidArgumentError('It must be a code of three letters such as EUR.')
}

/** An amount and a currency: `10 EUR`, `10.50eur`. */
export function moneyArgument(text: string): { readonly amount: number; readonly currencyCode: string } {
  const [, amount = '', code = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{3})$/.exec(text) ?? []
  if (Number(amount) > 0) return { amount: Number(amount), currencyCode: code.toUpperCase() }
  throw new InvalidArgumentError('It must be an amount and a currency, such as "10 EUR".')
}

const mask = '[redacted]'

/**
 * What commander says of wrong usage, without what was typed where that may be a key, a token, a secret or somebody's
 * account, which slip in anywhere. A word or a number stays: who has mistyped it has to see it.
 */
export function hideArguments(text: string, args: readonly string[]): string {
  const values = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])
  return values
    .filter((value) => value !== '' && !isHarmless(value))
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(`'${value}'`, `'${mask}'`), text)
    .replace(/eyJ[\w.-]{8,}/g, mask)
}

/** A word, or so few signs that no key and no account can be in them. */
function isHarmless(value: string): boolean {
  return /^(?:-{0,2}[a-z][a-z-]{0,20}|[\w.,:/%+-]{1,9})$/i.test(value) && !/\d{7}/.test(value)
}
