/**
 * What a function of the caller's says that has to say yes or no at once.
 *
 * @param promised makes the error for a promise, which would count as yes whatever it holds.
 */
export function yesOrNo(returned: unknown, promised: () => Error): boolean {
  if (typeof returned !== 'object' || returned === null || !('then' in returned)) return Boolean(returned)
  // Its own failure would otherwise end the process.
  Promise.resolve(returned).catch(() => undefined)
  throw promised()
}
