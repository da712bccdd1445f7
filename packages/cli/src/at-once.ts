/**
 * Runs for each item, so many at once, each in the order of the items. After the first failure no further one begins.
 *
 * @param isOver asked before each.
 * @throws what the first that failed rejects with, when none is under way any more.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const failures: unknown[] = []
  const left = items.values()
  const work = async () => {
    for (const item of left) {
      if (failures.length > 0 || isOver()) return
      await run(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  if (failures.length > 0) throw failures[0]
}
