/** So many turns of the event loop. */
export async function turns(count = 1): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Turns of the event loop until it is so; the test's own time limit is the end of patience. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turns()
}
