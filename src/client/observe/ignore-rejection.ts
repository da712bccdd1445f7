/**
 * What a function of somebody else's returned. It may be a promise, and one that rejects with nobody
 * waiting for it would end the process.
 */
export function ignoreRejection(returned: unknown, onRejected: (reason: unknown) => void = () => {}): void {
  if (typeof returned !== 'object' || returned === null || !('then' in returned)) return
  Promise.resolve(returned).catch(onRejected)
}
