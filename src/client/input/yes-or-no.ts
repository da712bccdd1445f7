/**
 * What a function of the caller's says that has to say yes or no at once.
 *
 * @param promised makes the error for a promise, which would count as yes whatever it holds.
 */
export function yesOrNo(given: unknown, promised: () => Error): boolean {
  if (typeof given !== 'object' || given === null || !('then' in given)) return Boolean(given)
  // Its own failure would otherwise end the process.
  Promise.resolve(given).catch(() => undefined)
  throw promised()
}
