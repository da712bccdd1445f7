import { InvalidArgumentError } from 'commander'

/** A parser of whole numbers for commander. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** One more value of an option that may be given several times. */
export function another(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text]
}

export function someText(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}
