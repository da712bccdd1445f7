// Stands in for `node:timers/promises` in the bundle, since what that exports was bound before time was virtual.

/** As Node's, on the clock of the machine that calls it. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => globalThis.setImmediate(resolve))
}

/** As Node's, on the clock of the machine that calls it; without its signal, which no simulated program uses. */
export function setTimeout(ms: number): Promise<void> {
  return new Promise((resolve) => globalThis.setTimeout(resolve, ms))
}
