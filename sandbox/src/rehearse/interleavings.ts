/** What may happen to one cart at the same time. */
export type Event = 'act' | 'callback' | 'visit'

/**
 * Two events of one cart in one order of their steps, such as ABBA: A begins and stops at its first request to the
 * gateway, B begins and stops at its own, B goes on to its end, A goes on to its end.
 */
export interface Interleaving {
  /** By which it is played again; never another one's. */
  readonly number: number
  readonly events: readonly [a: Event, b: Event]
  readonly order: string
}

interface Pair {
  readonly name: string
  readonly title: string
  readonly cause: string
  readonly orders: readonly Interleaving[]
}

/** Orders that are the same with A and B exchanged stand once where both are the same event. */
const table: readonly [name: string, title: string, a: Event, b: Event, orders: readonly string[]][] = [
  [
    'callbacks-cross',
    'Two callbacks of one payment cross.',
    'callback',
    'callback',
    ['AABB', 'ABAB', 'ABBA'],
  ],
  [
    'callback-crosses-visit',
    'A callback and a visit of the customer cross.',
    'callback',
    'visit',
    ['AABB', 'ABAB', 'ABBA', 'BAAB', 'BABA', 'BBAA'],
  ],
  ['acts-cross', 'Two orders of one cart cross.', 'act', 'act', ['AABB', 'ABAB', 'ABBA']],
  // The callback needs a payment: the act always begins.
  ['act-crosses-callback', 'The order and its first callback cross.', 'act', 'callback', ['ABAB', 'ABBA']],
]

const all = table.flatMap(([name, , a, b, orders]) =>
  orders.map((order) => ({ name, events: [a, b] as const, order })),
)

/** Pairs of events with all their interleavings, which are numbered through. */
export const pairs: readonly Pair[] = table.map(([name, title]) => {
  const orders = all.flatMap((one, index) => (one.name === name ? [{ ...one, number: index + 1 }] : []))
  return { name, title, cause: 'events that cross', orders }
})

/** The case and the round of an interleaving; undefined when there is none with that number. */
export function interleavingNumbered(
  number: number,
): { readonly name: string; readonly round: number } | undefined {
  for (const { name, orders } of pairs) {
    const round = orders.findIndex((one) => one.number === number)
    if (round >= 0) return { name, round }
  }
  return undefined
}

/** Such as `callback, visit, callback, visit`: who takes a step. */
export function stepsOf({ events: [a, b], order }: Interleaving): string {
  const [first, second] = a === b ? [`${a} 1`, `${b} 2`] : [a, b]
  return [...order].map((letter) => (letter === 'A' ? first : second)).join(', ')
}
