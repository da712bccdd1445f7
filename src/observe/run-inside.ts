/** Enters a context, calls the function, and leaves the context. */
export type Enter = (run: () => void) => void

/**
 * Runs a function inside contexts of others: exactly once, whatever they do. One that throws, forgets
 * to run it or runs it twice changes nothing but its own context.
 */
export function runInside<T>(enters: readonly Enter[], run: () => T): T {
  let result: { readonly value: T } | { readonly error: unknown } | undefined
  const once = () => {
    if (result !== undefined) return
    try {
      result = { value: run() }
    } catch (error) {
      result = { error }
    }
  }
  const entered = enters.reduceRight<() => void>((inner, enter) => () => attempt(enter, inner), once)
  entered()
  once()
  return unwrap(result)
}

function attempt(enter: Enter, inner: () => void): void {
  try {
    enter(inner)
  } catch {
    // The context is somebody else's; what runs in it is a payment.
  }
}

function unwrap<T>(result: { readonly value: T } | { readonly error: unknown } | undefined): T {
  if (result === undefined) throw new TypeError('it did not run')
  if ('error' in result) throw result.error
  return result.value
}
