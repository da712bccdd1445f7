import { type Hide, mask } from './mask.js'

/**
 * The cause of a broken connection with nothing but its name, message, codes and causes. What a
 * transport hangs on its errors beside them may be the bytes that were on the wire.
 */
export function cleanCause(cause: unknown, hide: Hide): unknown {
  try {
    return cleaned(cause, hide, 0)
  } catch {
    // A transport of the caller's may throw anything, also what can't be read.
    return undefined
  }
}

function cleaned(cause: unknown, hide: Hide, depth: number): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? hide(cause) : undefined
  const inner = depth < 5 && cause.cause !== undefined ? cleaned(cause.cause, hide, depth + 1) : undefined
  const clean = new Error(hide(cause.message), inner === undefined ? undefined : { cause: inner })
  clean.name = hide(cause.name)
  clean.stack = [`${clean.name}: ${clean.message}`, ...framesOf(cause.stack, hide)].join('\n')
  return Object.assign(clean, codesOf(cause, hide))
}

/** Line by line, since only the breaks between them are the engine's own. */
function framesOf(stack: string | undefined, hide: Hide): readonly string[] {
  const lines = stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return lines.map(hide).filter((line) => line !== mask)
}

function codesOf(error: Error, hide: Hide): Record<string, string | number> {
  const codes: Record<string, string | number> = {}
  for (const name of ['code', 'errno', 'syscall']) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string') codes[name] = hide(value)
    else if (typeof value === 'number') codes[name] = value
  }
  return codes
}
