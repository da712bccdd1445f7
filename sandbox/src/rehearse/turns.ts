import { gate } from './waiting.js'

/**
 * The turn of one cart among several: their first acts follow one another, because each needs the application to
 * itself, and the rest is played side by side.
 */
export interface Turn {
  /** Resolves when it is this cart's turn: what goes before the act is done for all, and the carts before have acted. */
  begin(): Promise<void>
  /** Ends the turn. A cart that never begins ends it, too. */
  end(): void
  /** Resolves when all have acted. */
  all(): Promise<void>
}

/** Turns for so many carts, in their order. */
export function turnsFor(count: number): readonly Turn[] {
  const steps = Array.from({ length: count }, () => ({ ready: gate(), over: gate() }))
  return steps.map(({ ready, over }, index) => ({
    async begin() {
      ready.open()
      await Promise.all(steps.map((one) => one.ready.opened))
      await Promise.all(steps.slice(0, index).map((one) => one.over.opened))
    },
    end() {
      ready.open()
      over.open()
    },
    all: async () => void (await Promise.all(steps.map((one) => one.over.opened))),
  }))
}
