import type { Lane } from '../../observe/events.js'

/** Who goes first. Tokens come before everything, since everything waits for them. */
export const lanes: readonly Lane[] = ['token', 'create', 'read', 'callback', 'bulk', 'poll']

/** Whether nobody waits for it in person: it comes in bursts, and must not leave the next create without a permit. */
export function isBackground(lane: Lane): boolean {
  return lane === 'callback' || lane === 'bulk' || lane === 'poll'
}

/** Of so many permits in a row, each lane in which somebody waits gets one at least. */
export const permitsPerShare = 10

/** A lane in which somebody waits. */
export interface WaitingLane {
  /** How many permits went to others since this lane had one, or since somebody began to wait in it. */
  readonly passedOver: number
}

/**
 * The lane that gets the next permit: the first, as long as each of the others can still have its
 * share after that. Lanes that are due in the same permit are served before, one after the other.
 *
 * @param waiting the lanes in which somebody waits, in order of priority.
 */
export function nextLane<L extends WaitingLane>(waiting: readonly L[]): L | undefined {
  const [first, ...others] = waiting
  if (first === undefined) return undefined
  others.sort((a, b) => b.passedOver - a.passedOver)
  // The n-th of them is served n permits later at best.
  const isTight = others.some(({ passedOver }, n) => passedOver + n >= permitsPerShare - 1)
  const [due] = others
  return isTight && due !== undefined && due.passedOver > first.passedOver ? due : first
}
