/**
 * The few kinds of zod schema that answers are described with, on zod's core: the classes of `zod` and
 * `zod/mini` around it carry methods that nothing here calls, and weigh half a kilobyte.
 *
 * What a schema makes of a response is thrown away, since callers get the response as it came; so these say what
 * is wrong, and cost little whatever comes.
 */
import {
  $constructor,
  $ZodArray,
  $ZodBoolean,
  $ZodNumber,
  type $ZodRawIssue,
  $ZodString,
  $ZodType,
  type $ZodTypeDef,
  type $ZodTypeInternals,
  $ZodUnknown,
} from 'zod/v4/core'
import { isObject } from '../input/own.js'

export { type $ZodIssue, type $ZodType, safeParse } from 'zod/v4/core'

/** A schema, and the type that it describes. */
export interface Schema<T = unknown> extends $ZodType {
  /** Never there: it carries the type. */
  readonly '~describes'?: () => T
}

export type Described<S> = S extends Schema<infer T> ? T : never

export const string = (): Schema<string> => new $ZodString({ type: 'string' })
export const number = (): Schema<number> => new $ZodNumber({ type: 'number', checks: [] })
export const boolean = (): Schema<boolean> => new $ZodBoolean({ type: 'boolean' })
export const unknown = (): Schema => new $ZodUnknown({ type: 'unknown' })

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

type Fields = Readonly<Record<string, Schema>>

type CanLack<S extends Fields> = {
  [Name in keyof S]: undefined extends Described<S[Name]> ? Name : never
}[keyof S]

type Flat<T> = { [Name in keyof T]: T[Name] }

interface ObjectDef extends $ZodTypeDef {
  readonly type: 'object'
  readonly shape: Fields
}

interface ObjectSchema extends $ZodType {
  _zod: $ZodTypeInternals & { def: ObjectDef }
}

/** zod's own makes a copy of what it visits. */
const LooseObject = $constructor<ObjectSchema>('MerchantGatewayObject', (inst, def) => {
  $ZodType.init(inst, def)
  const fields = Object.entries(def.shape)
  inst._zod.parse = (payload, context) => {
    const { value: input, issues } = payload
    if (!isObject(input)) {
      issues.push({ code: 'invalid_type', expected: 'object', input, inst })
      return payload
    }
    for (const [name, field] of fields) {
      const checked = field._zod.run({ value: input[name], issues: [] }, context)
      if (checked instanceof Promise) throw new TypeError(neverAsynchronous)
      if (checked.issues.length > 0) issues.push(...issuesAt(name, checked.issues))
    }
    return payload
  }
})

const neverAsynchronous = 'a shape is never asynchronous'

/** What is wrong inside a field or an entry. zod's own function for it has all of its helpers bundled with it. */
function issuesAt(place: PropertyKey, issues: readonly $ZodRawIssue[]): $ZodRawIssue[] {
  return issues.map((issue) => ({ ...issue, path: [place, ...(issue.path ?? [])] }))
}

/** Fields that are not in the shape may be there. They are not visited: there may be a million. */
export const looseObject = <S extends Fields>(
  shape: S,
): Schema<
  Flat<
    { -readonly [Name in Exclude<keyof S, CanLack<S>>]: Described<S[Name]> } & {
      -readonly [Name in CanLack<S>]?: Exclude<Described<S[Name]>, undefined>
    }
  >
> => new LooseObject({ type: 'object', shape })

/** An object of which nothing is known. */
export const anyObject = (): Schema<Record<string, unknown>> => new LooseObject({ type: 'object', shape: {} })

/**
 * The paths of all that can't be absent, for example `process.status`. A list stands for what is in it, which
 * may be nothing.
 */
export function requiredPaths(schema: $ZodType, path = ''): readonly string[] {
  if (schema instanceof LooseObject) {
    return Object.entries(schema._zod.def.shape).flatMap(([name, field]) =>
      requiredPaths(field, path === '' ? name : `${path}.${name}`),
    )
  }
  return path === '' || 'innerType' in schema._zod.def ? [] : [path]
}

export const array = <T>(element: Schema<T>): Schema<T[]> => new $ZodArray({ type: 'array', element })
