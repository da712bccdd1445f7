import { spanOf } from '../../../../src/cli/text.js'
import { isObject } from '../../../../src/client/input/own.js'

/**
 * Readers of what a sandbox answers. It may be of another version than this program: what is not there is an empty
 * text or list, and nothing fails for it.
 */
export function field(answer: unknown, ...names: readonly string[]): unknown {
  return names.reduce((inside, name) => (isObject(inside) ? inside[name] : undefined), answer)
}

export function words(answer: unknown, ...names: readonly string[]): string {
  const value = field(answer, ...names)
  return value === undefined || value === null ? '' : String(value)
}

export function listIn(answer: unknown, ...names: readonly string[]): readonly unknown[] {
  const value = field(answer, ...names)
  return Array.isArray(value) ? value : []
}

/** A time of milliseconds since 1970. */
export function dateTime(answer: unknown, ...names: readonly string[]): string {
  const value = field(answer, ...names)
  const date = new Date(typeof value === 'number' ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** The same without its day. */
export function timeOfDay(answer: unknown, ...names: readonly string[]): string {
  return dateTime(answer, ...names).slice(11, -1)
}

/** A span of milliseconds, in words. */
export function spanIn(answer: unknown, ...names: readonly string[]): string {
  const value = field(answer, ...names)
  return typeof value === 'number' ? spanOf(value) : ''
}

export function moneyText(answer: unknown): string {
  return `${words(answer, 'amount')} ${words(answer, 'currencyCode')}`.trim()
}

/** Those that say something, with commas. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}
