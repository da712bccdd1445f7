import { isObject } from '../client/input/own.js'
import type { GatewayProfile } from '../client/profile/gateway-profile.js'
import { type JsonSchema, profileSchema } from './schema.js'

/** Makes the error about one place of a profile: `why` goes on where the place ends. */
type Wrong = (path: string, why: string) => Error

/**
 * What this version of the format knows of what JSON came, in objects that are new. Fields that a later version
 * has added are left out.
 *
 * @throws what `wrong` makes, of places and rules: no text of the file is in them.
 */
export function keepProfile(json: unknown, wrong: Wrong): GatewayProfile {
  const profile = new Keeper(wrong).kept(json, profileSchema, '')
  if (isProfile(profile)) return profile
  throw wrong('', 'must be an object')
}

/** A profile of a gateway that answers everything in every way; no honest one is near it. */
const mostParts = 50_000
const deepest = 40

/** The keeper has looked at the rest. */
function isProfile(value: unknown): value is GatewayProfile {
  return isObject(value) && value.profileVersion === 1
}

/** Keeps what a schema knows of a value. */
class Keeper {
  readonly #wrong: Wrong
  #left = mostParts

  constructor(wrong: Wrong) {
    this.#wrong = wrong
  }

  kept(value: unknown, given: JsonSchema, path: string): unknown {
    const schema = resolved(given)
    this.#left -= 1
    if (this.#left < 0 || path.split(/[.[]/).length > deepest) {
      throw this.#wrong(path.slice(0, 60), 'holds too much')
    }
    if (schema.anyOf !== undefined)
      return this.kept(value, this.#alternative(value, schema.anyOf, path), path)
    if (schema.const !== undefined && value !== schema.const) {
      throw this.#wrong(path, `must be ${schema.const}, the version of the format that this package knows`)
    }
    if (schema.enum !== undefined && !schema.enum.some((one) => one === value)) {
      throw this.#wrong(path, `must be one of ${schema.enum.join(', ')}`)
    }
    switch (schema.type) {
      case 'string':
        return this.#text(value, schema, path)
      case 'integer':
        return this.#number(value, schema, path)
      case 'boolean':
        if (typeof value !== 'boolean') throw this.#wrong(path, 'must be true or false')
        return value
      case 'array':
        return this.#list(value, schema, path)
      case 'object':
        return this.#fields(value, schema, path)
      default:
        return value
    }
  }

  #alternative(value: unknown, schemas: readonly JsonSchema[], path: string): JsonSchema {
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
    const found = schemas.find((schema) => schema.type === type)
    if (found !== undefined) return found
    throw this.#wrong(path, `must be ${schemas.map((schema) => kindNames[schema.type ?? '']).join(' or ')}`)
  }

  #text(value: unknown, { maxLength, pattern, not }: JsonSchema, path: string): string {
    if (typeof value !== 'string') throw this.#wrong(path, 'must be a text')
    // By characters, as JSON Schema counts them.
    if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength) {
      throw this.#wrong(path, `must have at most ${maxLength} characters`)
    }
    if (!matches(value, pattern)) throw this.#wrong(path, "holds characters that don't belong there")
    if (not !== undefined && matches(value, not.pattern)) {
      throw this.#wrong(path, 'names a field that customers write, and what they write there is no status')
    }
    return value
  }

  #number(value: unknown, { minimum = 0, maximum = 0 }: JsonSchema, path: string): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum)
      return value
    throw this.#wrong(path, `must be a whole number from ${minimum} to ${maximum}`)
  }

  #list(value: unknown, { items = {}, maxItems = 0 }: JsonSchema, path: string): unknown[] {
    if (!Array.isArray(value)) throw this.#wrong(path, 'must be a list')
    if (value.length > maxItems) throw this.#wrong(path, `must have at most ${maxItems} entries`)
    return value.map((entry: unknown) => this.kept(entry, items, `${path}[]`))
  }

  #fields(value: unknown, schema: JsonSchema, path: string): Record<string, unknown> {
    const { properties = {}, required = [], propertyNames, additionalProperties, maxProperties } = schema
    if (!isObject(value)) throw this.#wrong(path, 'must be an object')
    const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
    const missing = required.find((name) => !Object.hasOwn(value, name))
    if (missing !== undefined) throw this.#wrong(inside(missing), 'is missing')
    const fields = Object.entries(value)
    if (maxProperties !== undefined && fields.length > maxProperties) {
      throw this.#wrong(path, `must have at most ${maxProperties} fields`)
    }
    const made: [string, unknown][] = []
    for (const [name, field] of fields) {
      if (!matches(name, propertyNames?.pattern)) throw this.#wrong(path, 'has a field whose name is none')
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      // The name may be of the file, and no text of the file is repeated.
      if (known !== undefined) made.push([name, this.kept(field, known, inside(name))])
      else if (additionalProperties !== undefined) {
        made.push([name, this.kept(field, additionalProperties, inside('*'))])
      }
    }
    return Object.fromEntries(made)
  }
}

function resolved(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  return profileSchema.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? schema
}

const kindNames: Readonly<Record<string, string>> = { string: 'a text', array: 'a list', object: 'an object' }

function matches(text: string, pattern: string | undefined): boolean {
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
}
