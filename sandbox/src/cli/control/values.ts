import { InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from '../../../../src/cli/arguments.js'
import { wrapped } from '../../../../src/cli/text.js'
import { jsonOf } from '../../../../src/client/input/json-of.js'
import { nearest } from '../../../../src/client/input/nearest.js'
import { isObject } from '../../../../src/client/input/own.js'
import { type RouteName, routeNames } from '../../gateway/wire/routes.js'
import { operations } from '../../openapi/operations.js'

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** `250ms`, `90s`, `5min`, `+2h`, `-1d`, or a number of milliseconds; in milliseconds. */
export function spanMs(text: string): number | undefined {
  const [, count, unit = 'ms'] = /^([+-]?\d{1,12}(?:\.\d{1,3})?)(ms|s|min|h|d)?$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitsMs[unit] ?? 1)
}

export const notASpan = 'must be a span of time such as 250ms, 90s, 5min, 2h or 1d.'

export function span(text: string): number {
  const ms = spanMs(text)
  if (ms !== undefined && ms >= 0) return ms
  throw new InvalidArgumentError(`It ${notASpan}`)
}

/** Ahead, or behind: `1h`, `-90s`. */
export function signedSpan(text: string): number {
  const ms = spanMs(text)
  if (ms !== undefined) return ms
  throw new InvalidArgumentError(`It ${notASpan}`)
}

/** A whole number, or `all`: Infinity, which travels as null. */
export function timesOrAll(text: string): number {
  return text === 'all' ? Number.POSITIVE_INFINITY : wholeNumber(1, 1_000_000)(text)
}

export function chance(text: string): number {
  const value = /^(?:0|1|0?\.\d{1,6}|1\.0+)$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.25.')
}

export function jsonObject(text: string): Record<string, unknown> {
  const value = jsonOf(text)
  if (isObject(value)) return value
  throw new InvalidArgumentError(
    'It must be an object of JSON, such as {"process":{"status":"UNDER_REVIEW"}}.',
  )
}

/** JSON, or a text as it stands where it is none. */
export function jsonOrText(text: string): unknown {
  return jsonOf(text) ?? text
}

/** One more header of an answer: `retry-after: 2`. */
export function anotherHeader(text: string, earlier: unknown): Record<string, string> {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be a name, a colon and a value, such as "retry-after: 2".')
  }
  return { ...(isObject(earlier) ? Object.fromEntries(textsOf(earlier)) : {}), [name]: value }
}

function textsOf(headers: Record<string, unknown>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)])
}

/** An endpoint by its name in the OpenAPI document, which needs no quotes in a shell. */
const shortName = (route: RouteName) => operations[route].operationId

/** `any` is every request: the default where there is one. */
export function routeOption(places: readonly (RouteName | '*')[], hasDefault = places.includes('*')): Option {
  const hasAny = places.includes('*')
  const names = routeNames.filter((route) => places.includes(route))
  const known = [...(hasAny ? ['any'] : []), ...names.map(shortName)]
  const read = (text: string): RouteName | '*' => {
    if (hasAny && (text === 'any' || text === '*')) return '*'
    const found = names.find((route) => route === text || shortName(route) === text)
    if (found !== undefined) return found
    const meant = nearest(text, known)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.${hint}`)
  }
  const says = `requests to which endpoint${hasDefault ? ' (default: any)' : ''}`
  return new Option('--route <NAME>', says).argParser(read).makeOptionMandatory(!hasDefault)
}

/** The names that `--route` takes, in lines of a page's width. */
export function routeLines(places: readonly (RouteName | '*')[]): string {
  const names = routeNames.filter((route) => places.includes(route)).map(shortName)
  const all = [...(places.includes('*') ? ['any'] : []), ...names]
  return `\n${wrapped(`Routes: ${all.join(', ')}.`, 79, 0).join('\n')}`
}
