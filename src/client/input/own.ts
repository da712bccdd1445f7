export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function hasMethod(value: unknown, name: string): boolean {
  return isObject(value) && typeof value[name] === 'function'
}

/**
 * What stands in a response at a path of names with dots between them; undefined also for null, which some gateways
 * write where there is nothing.
 */
export function field(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, name)
  }
  return found ?? undefined
}
