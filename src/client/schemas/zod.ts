/**
 * What responses are described with. What a schema makes of a response is thrown away, since callers get the response as
 * it came: it says what is wrong.
 */
import { $constructor, $ZodType, type $ZodTypeDef } from 'zod/v4/core'
import { looseObject, type Schema, shapeOf, string } from '../input/zod.js'

export {
  array,
  boolean,
  type Described,
  looseObject,
  number,
  type Schema,
  string,
  unknown,
} from '../input/zod.js'

/** A text that may be any; the names that the specification gives are for editors. */
export const code = <Named extends string>(): Schema<Named | (string & {})> => string()

interface InnerDef extends $ZodTypeDef {
  readonly type: 'optional' | 'custom'
  readonly innerType: $ZodType
}

/** A field that may be absent without harm; what an `optional` one lacks is not reported. */
const Lenient = $constructor<$ZodType, InnerDef>('MerchantGatewayLenient', (inst, def) => {
  $ZodType.init(inst, def)
  inst._zod.parse = (payload, context) => {
    const isAbsent = payload.value === undefined || payload.value === null
    return isAbsent && def.type === 'optional' ? payload : def.innerType._zod.run(payload, context)
  }
})

/** May be absent. Some gateways write null for that, and mean the same. */
export const optional = <T>(innerType: Schema<T>): Schema<T | null | undefined> =>
  new Lenient({ type: 'optional', innerType })

/** Should be there, and callers get by where it is not: its absence is reported. */
export const promised = <T>(innerType: Schema<T>): Schema<T | null | undefined> =>
  new Lenient({ type: 'custom', innerType })

/** An object of which nothing is known. */
export const anyObject = (): Schema<Record<string, unknown>> => looseObject({})

/**
 * The paths of all that can't be absent, for example `process.status`. A list stands for what is in it, which
 * may be nothing.
 */
export function requiredPaths(schema: $ZodType, path = ''): readonly string[] {
  const shape = shapeOf(schema)
  if (shape === undefined) return path === '' || 'innerType' in schema._zod.def ? [] : [path]
  return Object.entries(shape).flatMap(([name, field]) =>
    requiredPaths(field, path === '' ? name : `${path}.${name}`),
  )
}
