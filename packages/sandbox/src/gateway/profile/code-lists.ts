import type { Shape } from '../../../../../src/client/profile/shape.js'
import { fieldsOf, isList } from '../../../../../src/profile/shapes/merge-shapes.js'
import { fill } from './fill-shape.js'

/** One entry of a list: its code, and what else the sandbox has of it. */
export interface ListEntry {
  readonly code: string
  readonly name?: string
  readonly amount?: number
  /** A list of its own. */
  readonly entries?: readonly ListEntry[]
  /** Its fields under the specification's names, and the sandbox's. */
  readonly own: object
}

/**
 * What a list of balances, currencies, methods or operators is filled with: the entries where the shape has its
 * list, or its object whose fields are named by codes; undefined where it has neither. The specification shows
 * no names here, so a value also stands under any name that gateways are likely to give it.
 */
export function listFor(shape: Shape, entries: readonly ListEntry[]): unknown {
  if (typeof shape === 'string') return undefined
  if (isList(shape)) {
    const [inner] = shape
    return inner === undefined ? undefined : entries.map((entry) => entryFor(inner, entry))
  }
  for (const { name, shape: inner } of fieldsOf(shape).values()) {
    if (name === '*') return Object.fromEntries(entries.map((one) => [one.code, namedByCode(inner, one)]))
    const list = listFor(inner, entries)
    if (list !== undefined) return { [name]: list }
  }
  return undefined
}

function namedByCode(shape: Shape, entry: ListEntry): unknown {
  return fill(
    shape,
    typeof shape === 'string' ? (entry.amount ?? entry.name ?? entry.code) : entryFor(shape, entry),
  )
}

function entryFor(shape: Shape, entry: ListEntry): unknown {
  if (typeof shape === 'string') return shape === 'any' ? entry.own : entry.code
  const meant = namesIn(shape).flatMap((name) => {
    const value = meaning(name, entry)
    return value === undefined ? [] : [[name, value] as const]
  })
  const inner = entry.entries === undefined ? {} : (listFor(shape, entry.entries) ?? {})
  return Object.assign(Object.fromEntries(meant), entry.own, inner)
}

const notToSpend = /block|reserv|hold|held|pending|limit|min|max/i

function meaning(name: string, { code, name: shown = code, amount }: ListEntry): string | number | undefined {
  if (/name|title|label/i.test(name)) return shown
  if (amount !== undefined && /amount|balance|available|total|value/i.test(name))
    return notToSpend.test(name) ? undefined : amount
  return /code|curr|ccy|iso|method|^id$|^key$/i.test(name) ? code : undefined
}

/** Names of fields without parts, down to the next list. */
function namesIn(shape: Shape): readonly string[] {
  if (typeof shape === 'string' || isList(shape)) return []
  return [...fieldsOf(shape).values()].flatMap(({ name, shape: inner }) =>
    typeof inner === 'string' ? [name] : namesIn(inner),
  )
}
