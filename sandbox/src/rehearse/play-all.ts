import { prepare } from './before.js'
import { type Case, clean } from './cases.js'
import type { RunContext } from './context.js'
import type { Kind, Money, Route } from './gateway.js'
import { type Learnt, learn } from './learn.js'
import {
  cartsOf,
  type Result,
  rehearse,
  resultOfNone,
  type Stage,
  whyNotHere,
  withSurplus,
} from './rehearsal.js'
import { type Company, companyFor, fits, playTogether } from './together.js'

/** What is played. */
export interface PlayOptions {
  readonly cases: readonly Case[]
  /** The number of the first cart. */
  readonly firstCart: number
  /** Which payments are meant; payins when there are some, unless told. */
  readonly kind?: Kind | undefined
  /** What a cart costs. */
  readonly price?: Money | undefined
  /** The endpoint whose answers go wrong: the create, unless told. */
  readonly route?: Route | undefined
  /** What was learnt and found of the same application before; then nothing is learnt anew. */
  readonly before?: { readonly learnt: Learnt; readonly results: readonly Result[] } | undefined
  /** The one round to play, of the one case. */
  readonly round?: number | undefined
  /** Told of each result when it is there. One of a case that had one already takes its place. */
  add(result: Result): void
  /** Told when a case begins to be played by itself, or when several begin side by side. */
  begin?(names: readonly string[]): void
}

/**
 * Plays two carts with nothing going wrong, and then all cases: side by side where the application and the gateway allow
 * it, one after another otherwise. Returns which payments were meant; undefined when nothing was learnt.
 */
export async function playAll(context: RunContext, options: PlayOptions): Promise<Kind | undefined> {
  const { route, add, before } = options
  const results = new Map(before?.results.map((result) => [result.cart, result]))
  let nextCart = options.firstCart
  const takeCarts = (one: Case) => {
    const cart = nextCart
    nextCart += cartsOf(one)
    return cart
  }
  let learnt = before?.learnt
  if (learnt === undefined) {
    options.begin?.([clean.name])
    const cart = takeCarts(clean)
    takeCarts(clean)
    learnt = await learn(context, cart, options.kind, options.price)
    add(learnt.result)
  }
  const { result, reference } = learnt
  const firstOfCases = nextCart
  if (reference === undefined) {
    for (const one of options.cases) add(resultOfNone(one, 'a cart without a fault has to go well first'))
    return undefined
  }
  const stage: Stage = { reference, context, route }
  const keep = (_: Case, result: Result) => {
    results.set(result.cart, result)
    add(result)
  }
  let rest = options.cases
  const playGroup = async (group: readonly Case[], inTurns: boolean, mayWait = false) => {
    if (options.round !== undefined || group.length < 2) return
    options.begin?.(group.map(({ name }) => name))
    const unclear = await playTogether(group, { stage, inTurns, mayWait, takeCarts, keep })
    rest = rest.filter((one) => !group.includes(one) || unclear.includes(one))
  }
  const playAlone = async (alone: readonly Case[]) => {
    const played = alone.map((one) => ({ one, cart: takeCarts(one) }))
    const carts = played.flatMap(({ one, cart }) => {
      const count = whyNotHere(one, stage) === undefined ? cartsOf(one) : 0
      return Array.from({ length: count }, (_, round) => cart + round)
    })
    const prepared = await prepare(context.own === undefined ? [] : carts, context)
    for (const { one, cart } of played) {
      options.begin?.([one.name])
      keep(one, await rehearse(one, cart, { ...stage, context: { ...context, prepared } }, options.round))
      for (const late of context.carts.takeSurplus()) {
        const found = results.get(late)
        if (found !== undefined) add(withSurplus(found, reference))
        else if (late < firstOfCases) add(withSurplus(result, reference))
      }
    }
    rest = rest.filter((one) => !alone.includes(one))
  }
  const beside = rest.filter(({ alone }) => alone === undefined)
  const mayBeSeveral = options.round === undefined && beside.length > 1
  const company: Company = mayBeSeveral ? await companyFor(stage, () => takeCarts(clean)) : 'none'
  const together = beside.filter((one) => fits(one, company, stage))
  // What goes before is done for all at once, for which a gateway that others use has no room.
  const mayTakeTurns =
    context.carts.areNamed && (context.own !== undefined || context.application.before === undefined)
  const inTurns = rest.filter(({ alone }) => mayTakeTurns && alone === 'first act')
  await playGroup(together, false, company === 'later')
  await playAlone(rest.filter(({ alone }) => alone === undefined))
  await playGroup(inTurns, true)
  await playAlone(rest)
  return reference.kind
}
