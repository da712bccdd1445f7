import { without } from './redact.js'

/**
 * The cause of a broken connection with nothing but its name, message, codes and causes. What a
 * transport hangs on its errors beside them may be the bytes that were on the wire.
 */
export function cleanCause(cause: unknown, secrets: readonly string[], depth = 0): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? without(cause, secrets) : undefined
  const inner =
    depth < 5 && cause.cause !== undefined ? cleanCause(cause.cause, secrets, depth + 1) : undefined
  const clean = new Error(without(cause.message, secrets), inner === undefined ? undefined : { cause: inner })
  clean.name = cause.name
  if (cause.stack !== undefined) clean.stack = without(cause.stack, secrets)
  return Object.assign(clean, codesOf(cause))
}

function codesOf(error: Error): Record<string, string | number> {
  const codes: Record<string, string | number> = {}
  for (const name of ['code', 'errno', 'syscall']) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string' || typeof value === 'number') codes[name] = value
  }
  return codes
}
