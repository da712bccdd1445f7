import { isObject } from '../../common/json.js'

/** A body with a value at a place that is written with dots for depth. */
export function put(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const fields = isObject(body) ? body : {}
  return { ...fields, [name]: rest.length === 0 ? value : put(fields[name], rest.join('.'), value) }
}
