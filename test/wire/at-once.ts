/** Runs so many at once, until there are no more. */
export async function atOnce<T>(
  most: number,
  list: Iterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const rest = list[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: most }, worker))
}
