import { isObject } from '../../common/json.js'

export function put(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const fields = isObject(body) ? body : {}
  return { ...fields, [name]: rest.length === 0 ? value : put(fields[name], rest.join('.'), value) }
}
