import { isRecord } from './json-body.js'

/** A body with a value at a place that is written with dots for depth. */
export function put(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const fields = isRecord(body) ? body : {}
  const inside = Object.hasOwn(fields, name) ? fields[name] : undefined
  return { ...fields, [name]: rest.length === 0 ? value : put(inside, rest.join('.'), value) }
}

/** A body without the field at a place, and without the object that this field was all of. */
export function without(body: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  if (!isRecord(body) || !Object.hasOwn(body, name)) return body
  const { [name]: inside, ...others } = body
  const left = rest.length === 0 ? undefined : without(inside, rest.join('.'))
  const isEmpty = left === undefined || (isRecord(left) && Object.keys(left).length === 0)
  return isEmpty ? others : { ...others, [name]: left }
}
