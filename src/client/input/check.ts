import { ConfigurationError, InvalidInputError } from '../errors.js'
import { didYouMean } from './nearest.js'
import {
  type $ZodIssue,
  type $ZodRawIssue,
  type Checks,
  type Fields,
  parse,
  type Schema,
  strictObject,
} from './zod.js'

/** Makes the error about one name, or about the whole value where it is empty: `why` goes on where the name ends. */
export type Refuse = (name: string, why: string) => Error

export type NotKnown = (name: string, known: readonly string[], path: string) => string

/** Throws what `refuse` makes of the first thing that is wrong; a name that is not known comes first. No sentence holds a value. */
export function check<T>(schema: Schema<T>, value: unknown, refuse: Refuse): T {
  const result = parse(schema, value)
  if (result.success) return result.data
  throw refusalOf(result.error.issues, refuse)
}

export function refusalOf(issues: readonly $ZodIssue[], refuse: Refuse): Error {
  // What a misspelt name was meant for is then missing, too.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  return issue === undefined ? refuse('', 'is wrong') : refuse(nameOf(issue), whyOf(issue))
}

/** `paymentMethod.account`. What is wrong in a list is said of the list. */
function nameOf(issue: $ZodIssue): string {
  const place = issue.path.findIndex((key) => typeof key === 'number')
  const path = place < 0 ? issue.path : issue.path.slice(0, place)
  const wrong = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1).map(shown) : []
  return [...path, ...wrong].join('.')
}

function whyOf({ input, message, path }: $ZodIssue): string {
  const isMissing = input === undefined && path.length > 0 && message.startsWith('must be ')
  return isMissing ? `is missing; it ${message}` : message
}

function shown(key: string): string {
  return /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : '(not shown)'
}

export function prefixOf(path: readonly PropertyKey[] = []): string {
  return path.map((key) => `${String(key)}.`).join('')
}

/** A schema for every name of an interface. One that is left out doesn't compile, nor does one of another type. */
export type Shape<O> = { readonly [Name in Exclude<keyof O, never>]: Schema<O[Name]> }

/** An object without unknown names, whatever their values are. @param whole what is said of what is no object. */
export function strict<S extends Fields>(shape: S, notKnown: NotKnown, whole: string, ...checks: Checks) {
  return strictObject(shape, saysOf(Object.keys(shape), notKnown, whole), ...checks)
}

export function saysOf(known: readonly string[], notKnown: NotKnown, whole: string) {
  return (issue: $ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? notKnown(String(issue.keys[0]), known, prefixOf(issue.path)) : whole
}

export function optionsOf<S extends Fields>(what: string, shape: S, needed = '') {
  const whole = needed === '' ? 'must be an object' : `needs an object of options: ${needed}`
  return strict(shape, notAnOptionOf(what), whole)
}

export function notAnOptionOf(what: string): NotKnown {
  return (name, known) =>
    `is not an option of ${what}; the options are ${known.join(', ')}${didYouMean(name, known)}`
}

export function argument<S extends Fields>(what: string, shape: S, ...checks: Checks) {
  return strict(shape, notA(what), 'must be an object', ...checks)
}

export function notA(what: string): NotKnown {
  return (name, known) => `is not ${what} (${known.join(', ')})${didYouMean(name, known)}`
}

export function optionReader<S extends Fields>(
  Refusal: OptionRefusal,
  what: string,
  shape: S,
  needed?: string,
) {
  const schema = optionsOf(what, shape, needed)
  const refuse = optionRefusal(Refusal, what)
  return (options: unknown) => check(schema, options, refuse)
}

type OptionRefusal = new (sentence: string, details: { readonly option?: string }) => Error
type ArgumentRefusal = new (sentence: string, details: { readonly field?: string }) => Error

export function optionRefusal(Refusal: OptionRefusal, what: string): Refuse {
  return (name, why) => {
    const [option = ''] = name.split('.')
    return new Refusal(endSentence(`${name || what} ${why}`, '.'), option === '' ? {} : { option })
  }
}

export function argumentRefusal(
  Refusal: ArgumentRefusal,
  argument: string,
  ending = 'nothing was sent.',
): Refuse {
  return (name, why) => {
    const field = name || argument
    return new Refusal(`${endSentence(`${field} ${why}`, ';')} ${ending}`, { field })
  }
}

export function endSentence(sentence: string, mark: string): string {
  return sentence.endsWith('?') ? sentence : sentence + mark
}

export const wrongInput = argumentRefusal(InvalidInputError, 'request')

export const wrongOptions = argumentRefusal(InvalidInputError, 'options')

export const wrongOption = optionRefusal(ConfigurationError, 'the client')
