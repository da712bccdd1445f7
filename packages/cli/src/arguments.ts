import { InvalidArgumentError } from 'commander'

/** A parser of whole numbers for commander. */
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

export function someText(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}
