import type { Shape } from '../../../../../src/client/profile/shape.js'
import { fieldsOf, isList, kindsOf } from '../../../../../src/profile/shapes/merge-shapes.js'
import { kindOf, mostEntries, ownFields } from '../../../../../src/profile/shapes/shape-of.js'

/**
 * A value that is made of what a shape says: of an own value's parts where they have a place in it, written as
 * the shape has them, and of neutral ones elsewhere. Fields that were not always there are left out, unless
 * the own value has them; fields that the shape doesn't know are left out.
 *
 * An object or list that the own value doesn't have is taken for an envelope where the own value's fields have a
 * place in it, as in `{ "errors": [{ "code", "message" }] }`; and a field at the top that the own value has
 * deeper down is taken from there.
 *
 * @example
 * fill({ amount: 'string', note: 'string' }, { amount: 5, id: 'a' }) // { amount: '5', note: '' }
 */
export function fill(shape: Shape, own: unknown): unknown {
  return filled(shape, own, (name) => findBelow(own, name))
}

/** Finds a value without parts that stands elsewhere in the own value; only for what is at the top. */
type Find = (name: string) => unknown
const nowhere: Find = () => undefined

function filled(shape: Shape, own: unknown, find: Find): unknown {
  if (shape === 'any') return own === undefined ? null : own
  if (typeof shape === 'string') return scalar(kindsOf(shape), own)
  if (!isList(shape)) return object(shape, isObject(own) ? new Map(ownFields(own)) : new Map(), find)
  const [entry] = shape
  if (Array.isArray(own))
    return entry === undefined ? [] : own.map((one: unknown) => filled(entry, one, nowhere))
  return entry === undefined ? [] : [filled(entry, own, own === undefined ? nowhere : find)]
}

type Own = ReadonlyMap<string, unknown>

function object(shape: { readonly [field: string]: Shape }, own: Own, find: Find): unknown {
  const made: [string, unknown][] = []
  const fields = fieldsOf(shape)
  for (const { name, optional, shape: inner } of fields.values()) {
    if (name === '*') continue
    const value = own.has(name) || typeof inner !== 'string' ? own.get(name) : find(name)
    if (value !== undefined && (typeof inner === 'string' || typeof value === 'object')) {
      const isAbsent = value === null && optional && typeof inner !== 'string'
      made.push([name, isAbsent ? null : filled(inner, value, nowhere)])
    } else if (isEnvelope(inner, own)) made.push([name, filled(inner, Object.fromEntries(own), find)])
    else if (!optional) made.push([name, filled(inner, undefined, nowhere)])
  }
  const others = fields.get('*')
  if (others !== undefined) {
    made.push(...[...own].filter(([name, value]) => !fields.has(name) && hasShape(value, others.shape)))
  }
  return Object.fromEntries(made)
}

/** Whether an own value's fields have a place in what it doesn't have itself. */
function isEnvelope(shape: Shape, own: Own): boolean {
  if (typeof shape === 'string') return false
  if (isList(shape)) return shape[0] !== undefined && isEnvelope(shape[0], own)
  return [...fieldsOf(shape).keys()].some((name) => own.has(name))
}

function findBelow(own: unknown, name: string): unknown {
  const level = [own]
  for (const part of level) {
    if (!isObject(part) || Array.isArray(part)) continue
    const fields = new Map(ownFields(part))
    const value = fields.get(name)
    if (value !== undefined && !isObject(value)) return value
    level.push(...fields.values())
  }
  return undefined
}

const neutral: Readonly<Record<string, unknown>> = {
  boolean: false,
  number: 0,
  string: '',
  text: '',
  null: null,
}

/** The own value, in another kind where the shape has another; else a neutral one, null where that can be. */
function scalar(kinds: readonly string[], own: unknown): unknown {
  const kind = kindOf(own)
  if (kinds.includes(kind)) return own
  if (kinds.includes('string') || kinds.includes('text')) {
    if (kind === 'number' || kind === 'boolean' || (kind === 'string' && !kinds.includes('string')))
      return String(own)
  }
  if (kinds.includes('number') && kind === 'string' && own !== '' && Number.isFinite(Number(own)))
    return Number(own)
  return kinds.includes('null') ? null : (neutral[kinds[0] ?? ''] ?? null)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a value is made of what a shape says: every field that was always there, and none that wasn't. */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (shape === 'any') return true
  if (typeof shape === 'string') {
    const kind = kindOf(value)
    return kindsOf(shape).some((one) => one === kind || (one === 'text' && kind === 'string'))
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return false
    const entries: readonly unknown[] = value.slice(0, mostEntries)
    return entries.every((entry) => shape.some((one) => hasShape(entry, one)))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = fieldsOf(shape)
  const own = new Map(ownFields(value))
  for (const { name, optional } of fields.values()) {
    if (!optional && !own.has(name)) return false
  }
  for (const [name, field] of own) {
    const known = fields.get(name) ?? fields.get('*')
    if (known === undefined) return false
    const isAbsent = field === null && known.optional && typeof known.shape !== 'string'
    if (!isAbsent && !hasShape(field, known.shape)) return false
  }
  return true
}
