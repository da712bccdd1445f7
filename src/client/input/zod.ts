/**
 * The few kinds of zod schema that requests, options and responses are described with, by the names of `zod/mini` and on
 * zod's core: the classes of `zod/mini` carry methods that nothing here calls, and the main entry would be over its
 * limit with them.
 */
import {
  $constructor,
  $ZodArray,
  $ZodBoolean,
  $ZodCheck,
  $ZodDefault,
  $ZodNumber,
  $ZodOptional,
  type $ZodRawIssue,
  $ZodString,
  $ZodType,
  type $ZodTypeDef,
  type $ZodTypeInternals,
  $ZodUnknown,
  type ParsePayload,
  safeParse,
  type util,
} from 'zod/v4/core'
import { isObject } from './values.js'

export { type $ZodIssue, type $ZodRawIssue, type $ZodType, type ParsePayload, safeParse } from 'zod/v4/core'

export interface Schema<T = unknown> extends $ZodType {
  /** Never there: it carries the type. */
  readonly '~describes'?: () => T
}

export type Described<S> = S extends Schema<infer T> ? T : never

export type Says = string | ((issue: $ZodRawIssue) => string | undefined)

export type Checks<T = never> = readonly $ZodCheck<T>[]

function defined<T>(says: Says | undefined, checks: Checks<T> = []) {
  const error = typeof says === 'string' ? () => says : says
  return { checks: [...checks], ...(error === undefined ? {} : { error }) }
}

export const string = (says?: Says, ...checks: Checks<string>): Schema<string> =>
  new $ZodString({ type: 'string', ...defined(says, checks) })

export const number = (says?: Says, ...checks: Checks<number>): Schema<number> =>
  new $ZodNumber({ type: 'number', ...defined(says, checks) })

export const boolean = (says?: Says): Schema<boolean> =>
  new $ZodBoolean({ type: 'boolean', ...defined<boolean>(says) })

export const unknown = <T = unknown>(says?: Says, ...checks: Checks): Schema<T> =>
  new $ZodUnknown({ type: 'unknown', ...defined(says, checks) })

export const array = <T>(element: Schema<T>, says?: Says, ...checks: Checks): Schema<T[]> =>
  new $ZodArray({ type: 'array', element, ...defined(says, checks) })

export const optional = <T>(innerType: Schema<T>): Schema<T | undefined> =>
  new $ZodOptional({ type: 'optional', innerType })

interface LenientDef extends $ZodTypeDef {
  readonly type: 'optional' | 'custom'
  readonly innerType: $ZodType
}

const Lenient = $constructor<$ZodType, LenientDef>('MerchantGatewayLenient', (inst, def) => {
  $ZodType.init(inst, def)
  inst._zod.parse = (payload, context) => {
    const isAbsent = payload.value === undefined || payload.value === null
    return isAbsent && def.type === 'optional' ? payload : def.innerType._zod.run(payload, context)
  }
})

/** May be absent. Some gateways write null for that, and mean the same. */
export const nullish = <T>(innerType: Schema<T>): Schema<T | null | undefined> =>
  new Lenient({ type: 'optional', innerType })

/** Should be there, and callers get by where it is not: its absence is reported. */
export const promised = <T>(innerType: Schema<T>): Schema<T | null | undefined> =>
  new Lenient({ type: 'custom', innerType })

/** A text that may be any; the names that the specification gives are for editors. */
export const code = <Named extends string>(): Schema<Named | (string & {})> => string()

export const byDefault = <T, D extends T>(innerType: Schema<T>, defaultValue: D): Schema<T> =>
  new $ZodDefault({ type: 'default', innerType, defaultValue })

export type Fields = Readonly<Record<string, Schema>>

type Flat<T> = { [Name in keyof T]: T[Name] }

type CanLack<S extends Fields> = {
  [Name in keyof S]: undefined extends Described<S[Name]> ? Name : never
}[keyof S]

type Shaped<S extends Fields> = Flat<
  { -readonly [Name in Exclude<keyof S, CanLack<S>>]: Described<S[Name]> } & {
    -readonly [Name in CanLack<S>]?: Exclude<Described<S[Name]>, undefined>
  }
>

interface ObjectDef extends $ZodTypeDef {
  readonly type: 'object'
  readonly shape: Fields
  /** Whether a field that is not in the shape is wrong. One that may be there is not visited: there may be a million. */
  readonly isStrict: boolean
  readonly unpack?: (payload: ParsePayload<Record<string, unknown>>, inst: $ZodType) => void
}

interface ObjectSchema extends $ZodType {
  _zod: $ZodTypeInternals & { def: ObjectDef }
}

/** Keeps the order of the fields. zod's own makes a new object, and takes twice as long for a create. */
const AnObject = $constructor<ObjectSchema>('MerchantGatewayObject', (inst, def) => {
  $ZodType.init(inst, def)
  const { shape, isStrict, unpack } = def
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    field,
    mayLack: field instanceof $ZodOptional,
  }))
  inst._zod.parse = (payload, context) => {
    const { value: input, issues } = payload
    if (!isObject(input)) {
      issues.push({ code: 'invalid_type', expected: 'object', input, inst })
      return payload
    }
    const made = isStrict ? { ...input } : input
    for (const { name, field, mayLack } of fields) {
      const value = input[name]
      if (value === undefined && mayLack) continue
      const result = field._zod.run({ value, issues: [] }, context)
      if (result instanceof Promise) throw new TypeError('a schema is never asynchronous')
      if (result.issues.length > 0) issues.push(...issuesAt(name, result.issues))
      if (isStrict && result.value !== undefined) made[name] = result.value
    }
    const keys: string[] = []
    if (isStrict) for (const key of Object.keys(input)) if (!Object.hasOwn(shape, key)) keys.push(key)
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input, inst })
    payload.value = made
    if (made.extra !== undefined) unpack?.({ value: made, issues }, inst)
    return payload
  }
})

/** What is wrong inside a field. zod's own function for it has all of its helpers bundled with it. */
function issuesAt(name: string, issues: readonly $ZodRawIssue[]): $ZodRawIssue[] {
  return issues.map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] }))
}

export const looseObject = <S extends Fields>(shape: S): Schema<Shaped<S>> =>
  new AnObject({ type: 'object', shape, isStrict: false })

export const strictObject = <S extends Fields>(shape: S, says: Says, ...checks: Checks): Schema<Shaped<S>> =>
  new AnObject({ type: 'object', shape, isStrict: true, ...defined(says, checks) })

export const sentObject = <S extends Fields>(
  shape: S,
  says: Says,
  unpack: ObjectDef['unpack'] & object,
  ...checks: Checks
): Schema<Shaped<S>> =>
  new AnObject({ type: 'object', shape, isStrict: true, unpack, ...defined(says, checks) })

export function shapeOf(schema: $ZodType): Fields | undefined {
  if (schema instanceof $ZodOptional) return shapeOf(schema._zod.def.innerType)
  return schema instanceof AnObject ? schema._zod.def.shape : undefined
}

export function parse<T>(schema: Schema<T>, value: unknown): util.SafeParseResult<T>
export function parse(schema: $ZodType, value: unknown): util.SafeParseResult<unknown> {
  return safeParse(schema, value, { reportInput: true })
}

export const regex = (pattern: RegExp, says?: Says) => refine<string>(pattern.test.bind(pattern), says)

export const gte = (least: number) => refine<number>((value) => value >= least)

export const lte = (most: number) => refine<number>((value) => value <= most)

/** Looks at a value, and may say what is wrong with it or put another in its place. */
export function superRefine<T>(look: (payload: ParsePayload<T>) => void): $ZodCheck<T> {
  const made: $ZodCheck<T> = new $ZodCheck({ check: 'custom' })
  made._zod.check = look
  return made
}

export function refine<T>(fits: (value: T) => boolean, says?: Says): $ZodCheck<T> {
  const made: $ZodCheck<T> = new $ZodCheck({ check: 'custom', ...defined(says) })
  made._zod.check = ({ value, issues }) => {
    if (!fits(value)) issues.push({ code: 'custom', input: value, inst: made })
  }
  return made
}
