import { ignoreRejection } from './ignore-rejection.js'

/** Enters a context, calls the function, and leaves the context. */
export type Enter = (run: () => void) => void

/**
 * Runs a function inside contexts of others: exactly once, whatever they do. One that throws, forgets
 * to run it or runs it twice changes nothing but its own context.
 */
export function runInside<T>(enters: readonly Enter[], run: () => T): T {
  let result: Result<T> | undefined
  const innermost = once(() => {
    try {
      result = { threw: false, value: run() }
    } catch (error) {
      result = { threw: true, error }
    }
  })
  enters.reduceRight<() => void>((inner, enter) => once(() => inside(enter, inner)), innermost)()
  return unwrap(result)
}

/** Marked before it runs: what it calls may call it again. */
function once(run: () => void): () => void {
  let ran = false
  return () => {
    if (ran) return
    ran = true
    run()
  }
}

function inside(enter: Enter, inner: () => void): void {
  try {
    ignoreRejection(enter(inner))
  } catch {
    // The context is somebody else's; what runs in it is a payment.
  }
  // Nothing, unless it was forgotten: then it still runs in the contexts around this one.
  inner()
}

type Result<T> =
  | { readonly threw: false; readonly value: T }
  | { readonly threw: true; readonly error: unknown }

function unwrap<T>(result: Result<T> | undefined): T {
  if (result === undefined) throw new TypeError('it did not run')
  if (result.threw) throw result.error
  return result.value
}
