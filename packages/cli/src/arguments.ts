import { InvalidArgumentError } from 'commander'

/**
 * A parser of whole numbers for commander.
 *
 * @param otherwise what else the option takes, for its message.
 */
export function wholeNumber(least: number, most: number, otherwise = ''): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}${otherwise}.`)
  }
}

/** One more value of an option that may be given several times. */
export function another(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text]
}

/** A path; somebody may have put the key itself in its place. */
export function path(text: string): string {
  if (!/-----(?:BEGIN|END) |^\W*(?:MII|eyJ)|[\r\n]|^.{1025}/.test(text)) return text
  throw new InvalidArgumentError('It holds a key or a token itself, and not the path of a file.')
}

export function anotherPath(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return another(path(text), earlier)
}

export function currencyCode(text: string, earlier: readonly string[] | undefined): readonly string[] {
  if (/^[A-Za-z]{3}$/.test(text)) return another(text, earlier)
  throw new InvalidArgumentError('It must be a code of three letters such as EUR.')
}

/** An amount and a currency: `10 EUR`, `10.50eur`. */
export function moneyText(text: string): { readonly amount: string; readonly currencyCode: string } {
  const [, amount = '', code = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{3})$/.exec(text) ?? []
  if (Number(amount) > 0) return { amount, currencyCode: code.toUpperCase() }
  throw new InvalidArgumentError('It must be an amount and a currency, such as "10 EUR".')
}

/** The same with the amount as a number. */
export function moneyArgument(text: string): { readonly amount: number; readonly currencyCode: string } {
  const { amount, currencyCode } = moneyText(text)
  return { amount: Number(amount), currencyCode }
}

export function someText(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}
