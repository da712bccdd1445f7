import type { Shape } from '../../client/profile/shape.js'

/** More fields than an interface has are data: they go under `*`. */
export const mostFields = 200

/** In the order in which a union is written. */
const kinds = ['boolean', 'number', 'string', 'text', 'null']

/** What two values are made of, when one of them was seen and then the other. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  if (typeof a === 'string' && typeof b === 'string') return mergeKinds(a, b)
  if (typeof a === 'string' || typeof b === 'string') return 'any'
  if (isList(a) && isList(b)) {
    const entries = [...a, ...b]
    return entries.length === 0 ? [] : [mergeAll(entries)]
  }
  return isList(a) || isList(b) ? 'any' : mergeFields(a, b)
}

/** As {@link mergeShapes}, of at least one. */
export function mergeAll(shapes: readonly Shape[]): Shape {
  return shapes.length === 0 ? 'any' : shapes.reduce(mergeShapes)
}

/** By the type that a profile gives to lists, which `Array.isArray` doesn't know. */
export function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape)
}

/** One field of a shape. */
export interface ShapeField {
  readonly name: string
  readonly optional: boolean
  readonly shape: Shape
}

/** The fields of an object, by their names without the `?`. */
export function fieldsOf(shape: { readonly [field: string]: Shape }): Map<string, ShapeField> {
  return new Map(
    Object.entries(shape).map(([key, inner]) => {
      const name = key.endsWith('?') ? key.slice(0, -1) : key
      // Of fields whose names are data, no one is ever required.
      return [name, { name, optional: name !== key || name === '*', shape: inner }]
    }),
  )
}

/** The kinds of a union. */
export function kindsOf(scalar: string): readonly string[] {
  return scalar.split('|')
}

function mergeKinds(a: string, b: string): string {
  const seen = new Set([...kindsOf(a), ...kindsOf(b)])
  return [...seen].every((kind) => kinds.includes(kind))
    ? kinds.filter((kind) => seen.has(kind)).join('|')
    : 'any'
}

function mergeFields(a: { readonly [field: string]: Shape }, b: { readonly [field: string]: Shape }): Shape {
  const merged = new Map<string, Shape>()
  const [fieldsA, fieldsB] = [fieldsOf(a), fieldsOf(b)]
  for (const name of new Set([...fieldsA.keys(), ...fieldsB.keys()])) {
    const { optional, shape } = mergeField(fieldsA.get(name), fieldsB.get(name))
    const shown = name === '*' || merged.size >= mostFields ? '*' : `${name}${optional ? '?' : ''}`
    const before = merged.get(shown)
    merged.set(shown, before === undefined ? shape : mergeShapes(before, shape))
  }
  return Object.fromEntries(merged)
}

function mergeField(a: ShapeField | undefined, b: ShapeField | undefined): Omit<ShapeField, 'name'> {
  if (a === undefined || b === undefined) return { optional: true, shape: a?.shape ?? b?.shape ?? 'any' }
  const optional = a.optional || b.optional
  // Null in place of an object or a list is as good as absent.
  if (a.shape === 'null' && typeof b.shape !== 'string') return { optional: true, shape: b.shape }
  if (b.shape === 'null' && typeof a.shape !== 'string') return { optional: true, shape: a.shape }
  return { optional, shape: mergeShapes(a.shape, b.shape) }
}
