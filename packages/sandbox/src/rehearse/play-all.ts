import { aloneOf, type Case } from './case.js'
import { clean } from './cases.js'
import type { RunContext, Stage } from './context.js'
import { type Expected, type Learnt, learn } from './reference.js'
import { rehearse, whyNot } from './rehearsal.js'
import { type Result, resultOf, resultOfNone, withSurplus } from './result.js'
import type { Played } from './run-case.js'
import { playTogether } from './together.js'

export interface PlayOptions extends Expected {
  readonly cases: readonly Case[]
  /** Called with each result when it is there. One of a case that had one already takes its place. */
  add(result: Result): void
}

/** Plays two orders with nothing going wrong, and then all cases: side by side where that is possible. */
export async function playAll(context: RunContext, options: PlayOptions): Promise<Learnt> {
  const { add, cases } = options
  const learnt = await learn(context, options)
  const { reference, result } = learnt
  add(result)
  if (reference === undefined) {
    for (const one of cases) add(resultOfNone(one, 'an order without a fault has to go well first'))
    return learnt
  }
  const stage: Stage = { ...context, reference }
  const whole = new Map<Case, readonly Played[]>([[clean, learnt.played]])
  const keep = (one: Case, played: readonly Played[]) => {
    whole.set(one, played)
    add(resultOf(one, played))
  }
  const possible = cases.filter((one) => whyNot(one, stage) === undefined)
  let rest = possible
  for (const alone of context.orders.areNamed ? [undefined, 'first action'] : []) {
    const group = rest.filter((one) => aloneOf(one) === alone)
    if (group.length < 2) continue
    const unclear = await playTogether(group, stage, alone !== undefined, keep)
    rest = rest.filter((one) => !group.includes(one) || unclear.includes(one))
  }
  for (const one of rest) keep(one, await rehearse(one, stage))
  context.orders.giveTurn()
  for (const one of cases) if (!possible.includes(one)) add(resultOfNone(one, whyNot(one, stage) ?? ''))
  for (const [one, played] of whole) {
    const worse = withSurplus(resultOf(one, played), played, reference)
    if (worse !== undefined) add(worse)
  }
  return learnt
}
