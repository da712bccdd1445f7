/**
 * The few kinds of zod schema that answers are described with, on zod's core: the classes of `zod` and
 * `zod/mini` around it carry methods that nothing here calls, and weigh half a kilobyte.
 *
 * What a schema makes of an answer is thrown away, since callers get the answer as it came; so these say what
 * is wrong, and cost little whatever comes.
 */
import {
  $constructor,
  $ZodBoolean,
  $ZodNullable,
  $ZodNumber,
  $ZodObject,
  $ZodOptional,
  $ZodString,
  $ZodType,
  type $ZodTypeDef,
  $ZodUnknown,
  util,
} from 'zod/v4/core'

export { type $ZodIssue, type $ZodType, safeParse } from 'zod/v4/core'

export const string = (): $ZodType => new $ZodString({ type: 'string' })
export const number = (): $ZodType => new $ZodNumber({ type: 'number', checks: [] })
export const boolean = (): $ZodType => new $ZodBoolean({ type: 'boolean' })
export const unknown = (): $ZodType => new $ZodUnknown({ type: 'unknown' })

/** May be absent. Some gateways write null for that, and mean the same. */
export const optional = (innerType: $ZodType): $ZodType =>
  new $ZodOptional({ type: 'optional', innerType: new $ZodNullable({ type: 'nullable', innerType }) })

/** Fields that are not in the shape may be there. They are not visited: there may be a million. */
export const looseObject = (shape: Record<string, $ZodType>): $ZodType =>
  new $ZodObject({ type: 'object', shape })

/** How many things may be wrong with a list before the rest of it is not looked at any more. */
export const mostIssues = 20

interface ListDef extends $ZodTypeDef {
  readonly type: 'array'
  readonly element: $ZodType
}

/** zod's own array collects what is wrong with every one of two million entries. */
const List = $constructor<$ZodType, ListDef>('MerchantGatewayList', (inst, def) => {
  $ZodType.init(inst, def)
  inst._zod.parse = (payload, context) => {
    const { value: input, issues } = payload
    if (!Array.isArray(input)) {
      issues.push({ code: 'invalid_type', expected: 'array', input, inst })
      return payload
    }
    for (const [index, value] of input.entries()) {
      const checked = def.element._zod.run({ value, issues: [] }, context)
      if (checked instanceof Promise) throw new TypeError('a shape is never asynchronous')
      issues.push(...util.prefixIssues(index, checked.issues))
      const unchecked = input.length - index - 1
      if (issues.length < mostIssues || unchecked === 0) continue
      issues.push({ code: 'custom', params: { unchecked }, input: undefined, inst })
      break
    }
    return payload
  }
})

export const array = (element: $ZodType): $ZodType => new List({ type: 'array', element })
