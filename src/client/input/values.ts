import { InvalidInputError } from '../errors.js'

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an absolute URL: a text or a `URL`, also one of another realm, as test runners make them. */
export function isUrl(value: unknown): boolean {
  const is = typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]'
  return is && URL.canParse(String(value))
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

export function hasMethod(value: unknown, name: string): boolean {
  return isObject(value) && typeof value[name] === 'function'
}

/** What stands at a path of names with dots. Null is nothing, since some gateways write it for that. */
export function field(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, name)
  }
  return found ?? undefined
}

/** What a text says as JSON; undefined where it is none. A mark of its encoding at the beginning is passed over. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/
/** Years before and after are what gateways write in place of a time that they don't have. */
const [first, last] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 30)]

export function timeIn(field: unknown): number | undefined {
  const time = typeof field === 'string' && isoTime.test(field) ? Date.parse(field) : Number.NaN
  return time >= first && time <= last ? time : undefined
}

/** With every number as a decimal: `1e-7` is JSON too, and a gateway that reads amounts as decimals need not take it. */
function withoutExponents(json: string): string {
  // Texts are matched as well, so that what they hold stays as it is.
  return json.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"|(\d)(?:\.(\d+))?e-(\d+)/g,
    (all, whole: string | undefined, fraction = '', zeros = '0') =>
      whole === undefined ? all : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`,
  )
}

export function serialise(value: unknown): string {
  try {
    const json = JSON.stringify(value)
    return /\de-\d/.test(json) ? withoutExponents(json) : json
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}
