/** Whether a value may have fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value has a method, its own or of its class. */
export function hasMethod(value: unknown, name: string): boolean {
  return isObject(value) && typeof value[name] === 'function'
}
