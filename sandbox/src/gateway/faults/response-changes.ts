import { isRecord } from '../wire/json-body.js'

/** Makes the body of a response look as the specification does not show it. */
export type ChangeBody = (json: unknown) => unknown

/**
 * A null where a string was.
 *
 * @param field the path of the field with dots, such as `process.status`
 * @throws Error when the answer has no string there, because the test would then prove nothing
 */
export function nullAt(field: string): ChangeBody {
  return named(`null at ${field}`, (json) => replace(json, field.split('.'), field, null))
}

/** The same; a body that has no string there stays as it is. */
export function nullWhereShown(field: string): ChangeBody {
  return (json) => (hasText(json, field.split('.')) ? nullAt(field)(json) : json)
}

/** Another status, in `process` or at the top; a body without one stays as it is. */
export function statusOf(status: string): ChangeBody {
  return named(`the status ${status}`, (json) => {
    const path = [['process', 'status'], ['status']].find((place) => hasText(json, place))
    return path === undefined ? json : replace(json, path, path.join('.'), status)
  })
}

/** Section 9: new properties may come at any time. Adds some to every object, of every type and in front. */
export function withExtraFields(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withExtraFields)
  if (!isRecord(json)) return json
  const entries = Object.entries(json).map(([name, value]) => [name, withExtraFields(value)])
  return {
    addedLater: { list: [1, 'two', null], flag: true },
    addedToo: null,
    ...Object.fromEntries(entries),
  }
}

/** With a name by which the list of armed faults can show it. */
function named(name: string, change: ChangeBody): ChangeBody {
  return Object.defineProperty(change, 'name', { value: name })
}

function hasText(json: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return typeof json === 'string'
  return isRecord(json) && Object.hasOwn(json, name) && hasText(json[name], rest)
}

function replace(json: unknown, path: readonly string[], field: string, value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) {
    if (typeof json === 'string') return value
  } else if (isRecord(json) && Object.hasOwn(json, name)) {
    return { ...json, [name]: replace(json[name], rest, field, value) }
  }
  throw new Error(`The answer has no string at ${field}.`)
}
