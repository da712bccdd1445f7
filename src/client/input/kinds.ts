import { setMaxListeners } from 'node:events'
import { hasMethod, isObject } from './values.js'
import { warnOnce } from './warn-once.js'
import * as z from './zod.js'

export function fitting<T>(
  expected: string,
  fits: (value: unknown) => boolean,
  ...checks: z.Checks
): z.Schema<T> {
  return z.unknown(`must be ${expected}`, z.refine(fits), ...checks)
}

export function unless<T>(why: (value: unknown) => string | undefined, ...checks: z.Checks): z.Schema<T> {
  return z.unknown(
    ({ input }) => why(input),
    z.refine((value) => why(value) === undefined),
    ...checks,
  )
}

export function anything<T>(): z.Schema<T | undefined> {
  return z.optional(z.unknown())
}

export const flag = z.boolean('must be true or false')

export const text = z.string('must be a text that is not empty', z.regex(/./s))

export function textLike(expected: string, form: RegExp) {
  return z.string(`must be ${expected}`, z.regex(form))
}

export const isNotEmpty = z.refine<readonly unknown[]>(({ length }) => length > 0)

export function listOf<T>(expected: string, element: (expected: string) => z.Schema<T>, ...checks: z.Checks) {
  return z.array(element(expected), `must be ${expected}`, ...checks)
}

export function oneOf<const Text extends string>(...texts: readonly Text[]) {
  const expected = texts.map((one) => `"${one}"`).join(', ')
  return among(expected.replace(/, (?=[^,]*$)/, ' or '), texts)
}

export function among<const Text extends string>(expected: string, texts: readonly Text[]) {
  return fitting<Text>(expected, (value) => texts.some((text) => text === value))
}

export function wholeNumber(least: number, unit = '') {
  return z.number(
    `must be a whole number${unit}, ${least} or more`,
    z.refine<number>(Number.isSafeInteger),
    z.gte(least),
  )
}

/** Beyond this a timer fires at once. */
export const longestMs = 2 ** 31 - 1

export function durationOf(why: string, ...checks: z.Checks<number>) {
  const says = `must be a number of milliseconds from 1 to ${longestMs}${why}`
  return z.number(says, z.gte(1), z.lte(longestMs), ...checks)
}

export const duration = durationOf('')

/** Fewer, and somebody has probably given seconds. */
const leastLikelyMs = 200

/** A limit of what goes over a network; a very short one may be meant, such as in a test. */
export function networkLimit(name: string) {
  const warn = z.superRefine<number>(({ value: ms, issues }) => {
    if (ms >= leastLikelyMs || issues.length > 0) return
    warnOnce(
      `${name} is ${ms}, and that is in milliseconds: if seconds are meant, give ${ms * 1_000}.`,
      'MerchantGatewayMilliseconds',
      'MERCHANT_GATEWAY_MILLISECONDS',
      String(ms),
    )
  })
  return durationOf('', warn)
}

/** One signal may end any number of calls and waits; Node would take those who listen to it for a leak. */
export const signal = fitting<AbortSignal>(
  'an AbortSignal, such as the signal of an AbortController',
  isAbortSignal,
  z.superRefine<unknown>(({ value }) => {
    if (value instanceof EventTarget) setMaxListeners(0, value)
  }),
)

/** A function; what it takes and gives shows when it is called, so the sentence says it before. */
export function aFunction<F>(which: string) {
  return fitting<F>(`a function ${which}`, (value) => typeof value === 'function')
}

export function withMethods<T>(expected: string, ...methods: readonly string[]) {
  return fitting<T>(expected, (value) => methods.every((method) => hasMethod(value, method)))
}

/** By its shape, since test runners give each file globals of its own. */
function isAbortSignal(value: unknown): boolean {
  const listens = hasMethod(value, 'addEventListener') && hasMethod(value, 'removeEventListener')
  return listens && isObject(value) && typeof value.aborted === 'boolean'
}
