/** What a document is made of. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** A reference to a schema of the document. */
export function schema(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** An object with fields; those that are not named as required may be absent, and others may come (section 9). */
export function object(
  description: string,
  properties: JsonObject,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', description, properties, ...(required.length === 0 ? {} : { required }) }
}

export function text(description: string, more: JsonObject = {}): JsonObject {
  return { type: 'string', description, ...more }
}

export function list(description: string, items: JsonObject): JsonObject {
  return { type: 'array', description, items }
}
