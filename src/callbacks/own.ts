/** The caller's object, read once: its own properties, and nothing that `Object.prototype` may have been given. */
export function own<T extends object>(object: T): T {
  const fields: T = Object.create(null)
  for (const name of Reflect.ownKeys(object)) Reflect.set(fields, name, Reflect.get(object, name))
  return fields
}

/** A method of an object or of its class, and not of `Object.prototype`. */
export function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const method: unknown = Reflect.get(value, name)
  return typeof method === 'function' && method !== Reflect.get(Object.prototype, name)
}
