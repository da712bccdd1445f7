import { setMaxListeners } from 'node:events'
import { nearest } from './nearest.js'
import { hasMethod, isObject } from './own.js'
import { warnOnce } from './warn-once.js'

/** Makes the error about one name: `why` goes on where the name ends. */
export type Refuse = (name: string, why: string) => Error

/** The words about what is wrong with one kind of object. */
export interface Words {
  /** About a name that is in no row: `is not an option of a call`. It goes on where the name ends. */
  readonly notKnown: (name: string, known: readonly string[], path: string) => string
  readonly refuse: Refuse
  /** About what is no object at all. */
  readonly needsObject: () => Error
  /** About a name that may not even be in `extra`, in place of `notKnown`; undefined for others. */
  readonly never?: (name: string) => string | undefined
}

/**
 * How the options of something are spoken of: `the receiver`, `redisRateLimit`.
 *
 * @param Refusal the class of the error, from the caller: an entry that imported it here would carry a copy of it.
 * @param needed the names that can't be left out, for where there is no object at all.
 */
export function optionWords(
  Refusal: new (sentence: string, details: { readonly option?: string }) => Error,
  what: string,
  needed: string,
): Words {
  return {
    notKnown: (name, known) =>
      `is not an option of ${what}; the options are ${known.join(', ')}${didYouMean(name, known)}`,
    refuse: (option, why) => new Refusal(endSentence(`${option} ${why}`, '.'), { option }),
    needsObject: () => new Refusal(`${what} needs an object of options: ${needed}.`, {}),
  }
}

/**
 * How an argument of a method is refused: for a name that is not known, with those that are.
 *
 * @param Refusal as for {@link optionWords}.
 * @param ending what did not happen.
 */
export function argumentWords(
  Refusal: new (sentence: string, details: { readonly field?: string }) => Error,
  name: string,
  notA: string,
  ending = 'nothing was sent.',
): Words {
  const refuse: Refuse = (field, why) =>
    new Refusal(`${endSentence(`${field} ${why}`, ';')} ${ending}`, { field })
  return {
    notKnown: (wrong, known) => `is not ${notA} (${known.join(', ')})${didYouMean(wrong, known)}`,
    refuse,
    needsObject: () => refuse(name, 'must be an object'),
  }
}

/** One row of a table: what may stand under a name. */
export interface Row<T> {
  readonly expected: string
  /** What is kept of what was given, which is `undefined` where nothing was. Throws what `refuse` makes. */
  readonly read: (value: unknown, name: string, words: Words) => T
}

export type Table = Readonly<Record<string, Row<unknown>>>

type NamesOf<O> = O extends unknown ? keyof O : never
type ValueOf<O, Name> = O extends unknown ? (Name extends keyof O ? O[Name] : undefined) : never

/** The table of an interface, or of a union of them. A name without its row doesn't compile, nor does a row of another type. */
export type Rows<O> = { readonly [Name in NamesOf<O>]: Row<ValueOf<O, Name>> }

export type Values<R> = { [Name in keyof R]: R[Name] extends Row<infer T> ? T : never }

/**
 * What a caller's object says, by a table: no name that has no row, and under each
 * name what its row keeps. A name is refused whatever its value is, `undefined` too: what is spelled
 * wrong is not what was meant.
 *
 * @param path what goes before the names in sentences: `paymentMethod.`.
 */
export function read<R extends Table>(object: unknown, rows: R, words: Words, path?: string): Values<R>
export function read(object: unknown, rows: Table, words: Words, path = ''): Record<string, unknown> {
  if (!isObject(object)) throw words.needsObject()
  const fields: Record<string, unknown> = { ...object }
  for (const key of Object.keys(object)) {
    if (Object.hasOwn(rows, key)) continue
    throw words.refuse(path + shown(key), words.notKnown(key, Object.keys(rows), path))
  }
  for (const name of Object.keys(rows)) fields[name] = rows[name]?.read(object[name], path + name, words)
  return fields
}

/** The end of a sentence about a wrong name: the one that was meant, if that can be told. */
export function didYouMean(name: string, known: readonly string[], path = ''): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `; did you mean ${path}${meant}?`
}

/** A sentence about a wrong name, with the mark at its end; one that ends in a question has its own. */
export function endSentence(sentence: string, mark: string): string {
  return sentence.endsWith('?') ? sentence : sentence + mark
}

/** Names are a program's, but a mistake may put anything there. */
function shown(key: PropertyKey): string {
  return typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : '(not shown)'
}

/** What may be left out, and fits where it is given. */
export function is<T>(expected: string, fits: (value: unknown) => boolean): Row<T | undefined>
export function is(expected: string, fits: (value: unknown) => boolean): Row<unknown> {
  return {
    expected,
    read: (value, name, { refuse }) => {
      if (value === undefined || fits(value)) return value
      throw refuse(name, `must be ${expected}`)
    },
  }
}

/** The same with what stands for `undefined`. */
export function byDefault<T, D>(row: Row<T | undefined>, value: D): Row<T | D> {
  return {
    ...row,
    read: (input, name, words) => {
      const kept = row.read(input, name, words)
      return kept === undefined ? value : kept
    },
  }
}

/** The same for what can't be left out. */
export function required<T>(row: Row<T | undefined>): Row<T> {
  return {
    ...row,
    read: (value, name, words) => {
      const kept = row.read(value, name, words)
      if (kept === undefined) throw words.refuse(name, `is missing; it must be ${row.expected}`)
      return kept
    },
  }
}

/** What is looked at elsewhere, or by nobody. */
export function anything<T>(): Row<T | undefined> {
  return is('anything', () => true)
}

export function oneOf<const Text extends string>(...texts: readonly Text[]): Row<Text | undefined> {
  const expected = texts.map((one) => `"${one}"`).join(', ')
  return is(expected.replace(/, (?=[^,]*$)/, ' or '), (value) => texts.some((text) => text === value))
}

/** A whole number, this or more; of what, where the name doesn't say it. */
export function wholeNumber(least: number, unit = ''): Row<number | undefined> {
  return is(`a whole number${unit}, ${least} or more`, (value) => isWhole(value) && value >= least)
}

export const text: Row<string | undefined> = is(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
)

/** Beyond this a timer fires at once. */
export const longestMs = 2 ** 31 - 1

export const durationRange = `a number of milliseconds from 1 to ${longestMs}`

export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= longestMs
}

export const duration: Row<number | undefined> = is(durationRange, isDuration)

/** Fewer, and somebody has probably given seconds. */
const leastLikelyMs = 200

/** A limit of what goes over a network; a very short one may be meant, such as in a test. */
export const networkLimit: Row<number | undefined> = {
  ...duration,
  read: (value, name, words) => {
    const ms = duration.read(value, name, words)
    if (ms !== undefined && ms < leastLikelyMs) {
      warnOnce(
        `${name} is ${ms}, and that is in milliseconds: if seconds are meant, give ${ms * 1_000}.`,
        'MerchantGatewayMilliseconds',
        'MERCHANT_GATEWAY_MILLISECONDS',
        // Not the name: a variable of the environment becomes an option, which is read again.
        String(ms),
      )
    }
    return ms
  },
}

export const flag: Row<boolean | undefined> = is('true or false', (value) => typeof value === 'boolean')

const anySignal: Row<AbortSignal | undefined> = is(
  'an AbortSignal, such as the signal of an AbortController',
  isAbortSignal,
)

/** One signal may end any number of calls and waits; Node would take those who listen to it for a leak. */
export const signal: Row<AbortSignal | undefined> = {
  ...anySignal,
  read: (value, name, words) => {
    const kept = anySignal.read(value, name, words)
    if (kept instanceof EventTarget) setMaxListeners(0, kept)
    return kept
  },
}

/** A function; what it takes and gives shows when it is called, so the sentence says it before. */
export function aFunction<F>(which: string): Row<F | undefined> {
  return is(`a function ${which}`, (value) => typeof value === 'function')
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** By its shape, since test runners give each file globals of its own. */
function isAbortSignal(value: unknown): boolean {
  const listens = hasMethod(value, 'addEventListener') && hasMethod(value, 'removeEventListener')
  return listens && isObject(value) && typeof value.aborted === 'boolean'
}
