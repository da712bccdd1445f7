import { nearest } from './nearest.js'

/**
 * What a caller's object says, read once: its own properties, in a record that inherits nothing. What
 * another package has put on `Object.prototype` is nobody's option, and no later change reaches it.
 */
export function own<T extends object>(object: T): T {
  const fields: T = Object.create(null)
  for (const name of Reflect.ownKeys(object)) Reflect.set(fields, name, Reflect.get(object, name))
  return fields
}

/** One own property, of an object that is too large to be copied: `process.env`. */
export function ownValue<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Makes the error about one name: `why` goes on where the name ends. */
export type Refuse = (name: string, why: string) => Error

/**
 * The same, where only these names may be. A name is refused whatever its value is, `undefined` too:
 * what is spelled wrong is not what was meant.
 *
 * @param notKnown what is said of another name: `is not an option of a call`.
 */
export function ownOf<T extends object>(
  object: T,
  known: readonly string[],
  notKnown: (name: string) => string,
  refuse: Refuse,
): T {
  const fields = own(object)
  for (const key of Reflect.ownKeys(fields)) {
    if (typeof key === 'string' && known.includes(key)) continue
    throw refuse(shown(key), notKnown(String(key)))
  }
  const lent = known.find((name) => !(name in fields) && inherits(object, name))
  // Passed over in silence, an id would be made anew at every call.
  if (lent !== undefined) throw refuse(lent, 'is inherited, and only own properties are read')
  return fields
}

/** The end of a sentence about a wrong name: the one that was meant, if that can be told. */
export function didYouMean(name: string, known: readonly string[], path = ''): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `; did you mean ${path}${meant}?`
}

/** A method of an object or of its class. What `Object.prototype` has is no method of anything here. */
export function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const method: unknown = Reflect.get(value, name)
  return typeof method === 'function' && method !== Reflect.get(Object.prototype, name)
}

/** Names are a program's, but a mistake may put anything there. */
function shown(key: string | symbol): string {
  return typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : '(not shown)'
}

/** From a class or a template, and not from the prototype that all objects have. */
function inherits(object: object, name: string): boolean {
  let from: unknown = Object.getPrototypeOf(object)
  while (typeof from === 'object' && from !== null) {
    const next: unknown = Object.getPrototypeOf(from)
    if (next === null) return false
    if (Object.hasOwn(from, name)) return true
    from = next
  }
  return false
}
