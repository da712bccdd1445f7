import type { Lane } from '../../observe/events.js'

/** Who goes first. Tokens come before everything, since everything waits for them. */
export const lanes: readonly Lane[] = ['token', 'create', 'read', 'callback', 'bulk', 'poll']

/** Whether nobody waits for it in person: it comes in bursts, and must not leave the next create without a permit. */
export function isBackground(lane: Lane): boolean {
  return lane === 'callback' || lane === 'bulk' || lane === 'poll'
}

interface WaitingLane {
  readonly name: Lane
}

/**
 * The priority that gets the next permit: the first one, but for one permit in ten that creates, reads and callbacks keep
 * each, and one that bulk and polls keep together. So nothing starves, and what nobody waits for in person keeps
 * two tenths at most: with three, reads beside five creates a second waited for seconds.
 *
 * @param waiting those with whom somebody waits, the highest first.
 * @param turn how many permits in a row were given while more than one of them waited.
 */
export function nextLane<L extends WaitingLane>(waiting: readonly L[], turn: number): L | undefined {
  const background: readonly Lane[] = turn % 20 === 9 ? ['bulk', 'poll'] : ['poll', 'bulk']
  const kept = turn % 10 === 9 ? background : [keepers[turn % 10]]
  const keepersThatWait = kept.flatMap((name) => waiting.filter((lane) => lane.name === name))
  return keepersThatWait[0] ?? waiting[0]
}

/** Who has the permit of this turn before anybody else. */
const keepers: Readonly<Partial<Record<number, Lane>>> = { 6: 'create', 7: 'read', 8: 'callback' }
