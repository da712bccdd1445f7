const firstGapMs = 1_000
const longestGapMs = 15_000
const growth = 1.5
/** By how much a gap is longer or shorter than the others, so that waits that began together spread out. */
const spread = 0.2
/** While callbacks arrive, polls are only for those that don't: they become rare sooner. */
const withCallbacks = 4

/**
 * How long to wait before the next look, in milliseconds: about a second, half as long again each time, and never
 * more than 15 s. While callbacks are known to arrive it begins with four times as much, and ends with the same:
 * they may be known to a process that has just stopped to hear of them.
 */
export function pollGapMs(looks: number, random: number, callbacksArrive = false): number {
  const gap = firstGapMs * growth ** (looks - 1) * (callbacksArrive ? withCallbacks : 1)
  const longest = longestGapMs / (1 + spread)
  return Math.min(longest, gap) * (1 - spread + 2 * spread * random)
}
