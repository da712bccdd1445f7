export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function hasMethod(value: unknown, name: string): boolean {
  return isObject(value) && typeof value[name] === 'function'
}
