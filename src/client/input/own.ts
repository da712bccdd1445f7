/** Objects without any prototype are kept as dictionaries, which are slow to write as JSON; so theirs is an empty one. */
const nothing: object = Object.freeze(Object.create(null))

/**
 * What a caller's object says, read once: its own properties, in a record that inherits nothing. What
 * another package has put on `Object.prototype` is nobody's option, and no later change reaches it.
 */
export function own<T extends object>(object: T): T {
  const fields: T = Object.assign(Object.create(nothing), object)
  const names = Object.getOwnPropertyNames(object)
  // Names that are not enumerable are no less the caller's; mostly there are none.
  if (names.length === Object.keys(fields).length) return fields
  for (const name of names) if (!(name in fields)) Reflect.set(fields, name, Reflect.get(object, name))
  return fields
}

const ownField: PropertyDescriptor = Object.assign(Object.create(null), {
  writable: true,
  enumerable: true,
  configurable: true,
})

/**
 * Adds fields to a parsed answer, which belongs to one call alone. The payment is made by then: a setter of such a name
 * on `Object.prototype` must not be called in place of adding the field.
 */
export function addFields<T extends object, F extends object>(answer: T, fields: F): T & F {
  for (const name of Object.keys(fields)) Object.defineProperty(answer, name, ownField)
  return Object.assign(answer, fields)
}

/** One own property, of an object that is too large to be copied: `process.env`. */
export function ownValue<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Whether a name comes from a class or a template, and not from the prototype that all objects have. */
export function inherits(object: object, name: string): boolean {
  let from: unknown = Object.getPrototypeOf(object)
  while (typeof from === 'object' && from !== null) {
    const next: unknown = Object.getPrototypeOf(from)
    if (next === null) return false
    if (Object.hasOwn(from, name)) return true
    from = next
  }
  return false
}

/** A method of an object or of its class. What `Object.prototype` has is no method of anything here. */
export function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const method: unknown = Reflect.get(value, name)
  return typeof method === 'function' && method !== Reflect.get(Object.prototype, name)
}

/** Whether a value may have fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
