import { jsonOf } from '../../client/input/json.js'
import type { Shape } from '../../client/profile/shape.js'
import { hiding } from '../../client/redact/hide.js'
import { mergeAll, mostFields } from './merge-shapes.js'
import { shownName } from './names.js'

/** What a person would still read; what lies deeper, or comes after so many parts, is `any`. */
const deepest = 12
const mostParts = 2000
/** Entries of a list are alike, so the first ones tell. */
export const mostEntries = 50

/**
 * What a JSON value is made of: names and types, and nothing of the values. Never throws, and ends whatever it
 * is given.
 *
 * @param hidden texts that may not be seen: a name that contains one of them becomes `*`, in whatever case and
 * escaping it stands there.
 *
 * @example
 * shapeOf({ process: { status: 'SUCCESS' }, fees: [1] }, []) // { process: { status: 'string' }, fees: ['number'] }
 */
export function shapeOf(value: unknown, hidden: readonly string[]): Shape {
  const hide = hiding(hidden)
  let parts = 0
  const look = (part: unknown, depth: number): Shape => {
    parts += 1
    if (typeof part !== 'object' || part === null) return kindOf(part)
    if (depth >= deepest || parts > mostParts) return 'any'
    if (Array.isArray(part)) {
      const entries = part.slice(0, mostEntries).map((entry) => look(entry, depth + 1))
      return entries.length === 0 ? [] : [mergeAll(entries)]
    }
    const fields = new Map<string, Shape[]>()
    for (const [name, field] of ownFields(part)) {
      const shown = fields.size < mostFields ? shownName(name, hide) : '*'
      const before = fields.get(shown)
      if (before === undefined) fields.set(shown, [look(field, depth + 1)])
      // Of fields whose names are data, as of the entries of a list.
      else if (before.length < mostEntries) before.push(look(field, depth + 1))
    }
    return Object.fromEntries([...fields].map(([name, shapes]) => [name, mergeAll(shapes)]))
  }
  return look(value, 0)
}

/** The fields that JSON would show, own ones alone: what a prototype has was in no body. */
export function ownFields(value: object): readonly (readonly [string, unknown])[] {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
  return fields.flatMap(([name, { enumerable, value: field }]) =>
    enumerable === true && field !== undefined ? [[name, field] as const] : [],
  )
}

/** The kind of a value without parts; `any` for what JSON doesn't have. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'any'
}

/** What the text of a body is made of: JSON, or `text`; undefined where it is empty. */
export function shapeOfBody(body: string, hidden: readonly string[]): Shape | undefined {
  if (body === '') return undefined
  const json = jsonOf(body)
  return json === undefined ? 'text' : shapeOf(json, hidden)
}
