import { aloneOf, type Case } from './case.js'
import { clean } from './cases.js'
import type { RunContext, Stage } from './context.js'
import type { Route } from './gateway.js'
import { type Expected, type Learnt, learn } from './learn.js'
import { rehearse, whyNotHere } from './rehearsal.js'
import { type Result, resultOf, resultOfNone, withSurplus } from './result.js'
import type { Played } from './run-case.js'
import { companyFor, fits, playTogether } from './together.js'

/** What is played. */
export interface PlayOptions extends Expected {
  readonly cases: readonly Case[]
  /** The endpoint whose answers go wrong: the create, unless told. */
  readonly route?: Route | undefined
  /** What was learnt of the same application before. */
  readonly learnt?: Learnt | undefined
  /** The one round to play, of the one case. */
  readonly round?: number | undefined
  /** Told of each result when it is there. One of a case that had one already takes its place. */
  add(result: Result): void
  /** Told when a case begins to be played by itself, or when several begin side by side. */
  begin?(names: readonly string[]): void
}

/**
 * Plays two carts with nothing going wrong, and then all cases: side by side where the application and the gateway allow
 * it, one after another otherwise. Returns what was learnt.
 */
export async function playAll(context: RunContext, options: PlayOptions): Promise<Learnt> {
  const { route, round, add, cases } = options
  const begin = (some: readonly Case[]) => options.begin?.(some.map(({ name }) => name))
  let { learnt } = options
  if (learnt === undefined) {
    begin([clean])
    learnt = await learn(context, options)
    add(learnt.result)
  }
  const { reference } = learnt
  if (reference === undefined) {
    for (const one of cases) add(resultOfNone(one, 'a cart without a fault has to go well first'))
    return learnt
  }
  const stage: Stage = { ...context, reference, route }
  const whole = new Map<Case, readonly Played[]>([[clean, learnt.played]])
  const keep = (one: Case, played: readonly Played[]) => {
    whole.set(one, played)
    add(resultOf(one, played))
  }
  const possible = cases.filter((one) => whyNotHere(one, stage) === undefined)
  let rest = possible
  const playGroup = async (group: readonly Case[], isInTurns: boolean, mayWait = false) => {
    if (round !== undefined || group.length < 2) return
    begin(group)
    const unclear = await playTogether(group, { stage, isInTurns, mayWait, keep })
    rest = rest.filter((one) => !group.includes(one) || unclear.includes(one))
  }
  const playAlone = async (alone: readonly Case[]) => {
    for (const one of alone) {
      begin([one])
      keep(one, await rehearse(one, stage, round))
    }
    rest = rest.filter((one) => !alone.includes(one))
  }
  const beside = () => rest.filter((one) => aloneOf(one) === undefined)
  const mayBeSeveral = round === undefined && beside().length > 1
  const company = mayBeSeveral ? await companyFor(stage) : 'none'
  const together = beside().filter((one) => fits(one, company, stage))
  await playGroup(together, false, company === 'later')
  await playAlone(beside())
  if (company !== 'none' || context.carts.areNamed) {
    await playGroup(
      rest.filter((one) => aloneOf(one) === 'first act'),
      true,
    )
  }
  await playAlone(rest)
  context.carts.giveTurn()
  for (const one of cases) if (!possible.includes(one)) add(resultOfNone(one, whyNotHere(one, stage) ?? ''))
  for (const [one, played] of whole) {
    const worse = withSurplus(resultOf(one, played), played, reference)
    if (worse !== undefined) add(worse)
  }
  return learnt
}
