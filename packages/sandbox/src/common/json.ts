export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a text says as JSON; undefined where it is none, which no JSON is. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The field of a JSON value at a path such as `order.state`; undefined where there is none. */
export function fieldAt(json: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
      json,
    )
}

export function keysOf<Key extends string>(all: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = []
  for (const key in all) keys.push(key)
  return keys
}

export function put(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const fields = isObject(body) ? body : {}
  return { ...fields, [name]: rest.length === 0 ? value : put(fields[name], rest.join('.'), value) }
}
