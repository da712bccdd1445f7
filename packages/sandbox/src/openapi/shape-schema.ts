import * as z from 'zod/mini'
import type { Shape } from '../../../../src/client/profile/shape.js'
import { fieldsOf, isList, kindsOf } from '../../../../src/profile/shapes/merge-shapes.js'

/** What a document is made of. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A schema as it stands in a document, which says itself what it is written in. */
export function bare({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject {
  return schema
}

/** What a profile has seen, as a schema of the document. */
export function jsonSchemaOf(shape: Shape): JsonObject {
  return bare(z.toJSONSchema(schemaOf(shape), { io: 'input' }))
}

/** The schema of what a profile has seen. It was seen and not promised, so no field is required. */
function schemaOf(shape: Shape): z.ZodMiniType {
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
