import type { Violation } from './judge/rules.js'
import type { Plan, Settings } from './plan.js'
import type { Played } from './play.js'

/** Plays a plan, and says what came of it. */
export type Player = (plan: Plan) => Promise<Pick<Played, 'violations'>>

/** So many plans are tried at most: a story need not be the shortest of all. */
const mostTries = 600

/**
 * The shortest plan that breaks the same rule: without the orders and the faults that it doesn't take, in a world as
 * plain as it can be. By halves, quarters and so on of each list (delta debugging).
 */
export async function shrink(plan: Plan, { rule }: Violation, play: Player): Promise<Plan> {
  let tries = 0
  const breaks = async (candidate: Plan) => {
    if (tries++ >= mostTries) return false
    const { violations } = await play(candidate)
    return violations.some((violation) => violation.rule === rule)
  }
  let shortest = plan
  for (let before = Number.POSITIVE_INFINITY; sizeOf(shortest) < before && tries < mostTries; ) {
    before = sizeOf(shortest)
    shortest = await withFewer(shortest, 'faults', breaks)
    shortest = await withFewer(shortest, 'orders', breaks)
    for (const plainer of plainerWays) {
      const candidate = plainer(shortest)
      if (await breaks(candidate)) shortest = candidate
    }
  }
  return shortest
}

function sizeOf({ orders, faults }: Plan): number {
  return orders.length + faults.length + orders.reduce((sum, { again }) => sum + again.length, 0)
}

/** Takes parts of a list out for as long as it still breaks. */
async function withFewer(
  plan: Plan,
  list: 'orders' | 'faults',
  breaks: (candidate: Plan) => Promise<boolean>,
): Promise<Plan> {
  let shortest = plan
  for (let size = Math.ceil(plan[list].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < shortest[list].length; ) {
      const isKept = (_: unknown, index: number) => index < at || index >= at + size
      const candidate =
        list === 'orders'
          ? { ...shortest, orders: shortest.orders.filter(isKept) }
          : { ...shortest, faults: shortest.faults.filter(isKept) }
      if (await breaks(candidate)) shortest = candidate
      else at += size
    }
  }
  return shortest
}

const withSettings =
  (settings: Partial<Settings>) =>
  (plan: Plan): Plan => ({ ...plan, settings: { ...plan.settings, ...settings } })

/** Each takes one thing away that the story may not need. */
const plainerWays: readonly ((plan: Plan) => Plan)[] = [
  withSettings({ hosts: 1, rateLimit: 'alone' }),
  withSettings({ jitterMs: 0 }),
  withSettings({ clocks: [] }),
  withSettings({ tokens: 'per-family' }),
  withSettings({ retryAfter: false }),
  withSettings({ limiter: 'sliding-window' }),
  (plan) => ({ ...plan, orders: plan.orders.map((order) => ({ ...order, again: [] })) }),
  (plan) => ({ ...plan, orders: plan.orders.map(({ abortAfterMs: _, ...order }) => order) }),
  (plan) => ({ ...plan, orders: plan.orders.map(({ waitMs: _, ...order }) => order) }),
  (plan) => ({ ...plan, faults: plan.faults.map((fault) => ({ ...fault, share: 1 })) }),
]
