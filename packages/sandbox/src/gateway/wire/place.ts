import { isObject } from '../../../../../src/client/input/own.js'

/** What stands in a body at a place that is written with dots for depth; undefined for nothing. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
      body,
    )
}

/** A body with a value at a place that is written with dots for depth. */
export function put(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const fields = isObject(body) ? body : {}
  const inside = Object.hasOwn(fields, name) ? fields[name] : undefined
  return { ...fields, [name]: rest.length === 0 ? value : put(inside, rest.join('.'), value) }
}

/** A body without the field at a place, and without the object that this field was all of. */
export function without(body: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  if (!isObject(body) || !Object.hasOwn(body, name)) return body
  const { [name]: inside, ...others } = body
  const left = rest.length === 0 ? undefined : without(inside, rest.join('.'))
  const isEmpty = left === undefined || (isObject(left) && Object.keys(left).length === 0)
  return isEmpty ? others : { ...others, [name]: left }
}
