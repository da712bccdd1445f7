const firstGapMs = 1_000
const longestGapMs = 15_000
const growth = 1.5
/** While callbacks arrive, polls are only for those that don't: so many times as rare. */
const withCallbacks = 4

/**
 * How long to wait before the next look, in milliseconds: from a second, half as long again each
 * time, up to 15 s; a fifth more or less, so that waits that began together spread out. Four times
 * as long while callbacks are known to arrive.
 */
export function pollGapMs(looks: number, random: number, callbacksArrive = false): number {
  const gap = Math.min(longestGapMs, firstGapMs * growth ** (looks - 1))
  return gap * (0.8 + 0.4 * random) * (callbacksArrive ? withCallbacks : 1)
}
