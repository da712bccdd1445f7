/**
 * The few kinds of zod schema that answers are described with, on zod's core: the classes of `zod` and
 * `zod/mini` around it carry methods that nothing here calls, and weigh half a kilobyte.
 */
import {
  $ZodArray,
  $ZodBoolean,
  $ZodNumber,
  $ZodObject,
  $ZodOptional,
  $ZodString,
  type $ZodType,
  $ZodUnknown,
} from 'zod/v4/core'

export { type $ZodIssue, type $ZodType, safeParse } from 'zod/v4/core'

export const string = (): $ZodType => new $ZodString({ type: 'string' })
export const number = (): $ZodType => new $ZodNumber({ type: 'number', checks: [] })
export const boolean = (): $ZodType => new $ZodBoolean({ type: 'boolean' })
export const unknown = (): $ZodType => new $ZodUnknown({ type: 'unknown' })
export const array = (element: $ZodType): $ZodType => new $ZodArray({ type: 'array', element })
export const optional = (innerType: $ZodType): $ZodType => new $ZodOptional({ type: 'optional', innerType })

/** Fields that are not in the shape stay as they came. */
export const looseObject = (shape: Record<string, $ZodType>): $ZodType =>
  new $ZodObject({ type: 'object', shape, catchall: unknown() })
