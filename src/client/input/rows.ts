import { durationRange, isDuration } from './durations.js'
import { hasMethod } from './own.js'
import type { Row } from './reader.js'

/** What may be left out, and fits where it is given. */
export function is<T>(expected: string, fits: (value: unknown) => boolean): Row<T | undefined> {
  const holds = (value: unknown): value is T | undefined => value === undefined || fits(value)
  return {
    expected,
    read: (given, name, { refuse }) => {
      if (holds(given)) return given
      throw refuse(name, `must be ${expected}`)
    },
  }
}

/** The same with what stands for `undefined`. */
export function byDefault<T, D>(row: Row<T | undefined>, value: D): Row<T | D> {
  return {
    ...row,
    read: (given, name, door) => {
      const kept = row.read(given, name, door)
      return kept === undefined ? value : kept
    },
  }
}

/** The same for what can't be left out. */
export function required<T>(row: Row<T | undefined>): Row<T> {
  return {
    ...row,
    read: (given, name, door) => {
      const kept = row.read(given, name, door)
      if (kept === undefined) throw door.refuse(name, `is missing; it must be ${row.expected}`)
      return kept
    },
  }
}

/** What is looked at elsewhere, or by nobody. */
export function anything<T>(): Row<T | undefined> {
  return is('anything', () => true)
}

/** One of these texts. */
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

export const duration: Row<number | undefined> = is(durationRange, isDuration)

export const flag: Row<boolean | undefined> = is('true or false', (value) => typeof value === 'boolean')

export const signal: Row<AbortSignal | undefined> = is(
  'an AbortSignal, such as the signal of an AbortController',
  isAbortSignal,
)

/** A function; what it takes and gives shows when it is called, so the sentence says it before. */
export function aFunction<F>(which: string): Row<F | undefined> {
  return is(`a function ${which}`, (value) => typeof value === 'function')
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** By its shape, since test runners give each file globals of its own. */
function isAbortSignal(value: unknown): boolean {
  if (!hasMethod(value, 'addEventListener') || !hasMethod(value, 'removeEventListener')) return false
  return typeof Reflect.get(Object(value), 'aborted') === 'boolean'
}
