import * as z from 'zod/mini'
import type { Shape } from '../../../src/client/profile/shape.js'
import { fieldsOf, isList, kindsOf } from '../../../src/profile/shapes/merge-shapes.js'

/** The schema of what a profile has seen. It was seen and not promised, so no field is required. */
export function schemaOf(shape: Shape): z.ZodMiniType {
  if (typeof shape === 'string') return anyOf(kindsOf(shape).map(schemaOfKind))
  if (isList(shape)) return z.array(shape[0] === undefined ? z.unknown() : schemaOf(shape[0]))
  const fields = fieldsOf(shape)
  const named = [...fields.values()].filter(({ name }) => name !== '*')
  const object = z.object(
    Object.fromEntries(
      named.map(({ name, optional, shape: inner }) => {
        // A shape says of no list and no object whether it was null or absent.
        const canBeNull = optional && typeof inner !== 'string'
        return [name, z.optional(canBeNull ? z.nullable(schemaOf(inner)) : schemaOf(inner))]
      }),
    ),
  )
  const others = fields.get('*')
  return others === undefined ? object : z.catchall(object, schemaOf(others.shape))
}

function schemaOfKind(kind: string): z.ZodMiniType {
  if (kind === 'boolean') return z.boolean()
  if (kind === 'number') return z.number()
  if (kind === 'null') return z.null()
  return kind === 'any' ? z.unknown() : z.string()
}

function anyOf(kinds: readonly z.ZodMiniType[]): z.ZodMiniType {
  const [only] = kinds
  return kinds.length === 1 && only !== undefined ? only : z.union(kinds)
}

/** A shape with a text at a place that is written with dots for depth. */
export function withText(shape: Shape, path: string): Shape {
  const [name = '', ...rest] = path.split('.')
  const fields = typeof shape === 'string' || isList(shape) ? {} : shape
  const { [name]: always, [`${name}?`]: sometimes, ...others } = fields
  const inside = rest.length === 0 ? 'string' : withText(always ?? sometimes ?? {}, rest.join('.'))
  return { ...others, [name]: inside }
}
