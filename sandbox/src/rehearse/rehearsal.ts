import { isOpen } from './activity.js'
import { type Case, createRoute, needsOf, roundsOf, type Target, victimOf } from './case.js'
import type { RunContext } from './context.js'
import type { Reference } from './evidence.js'
import type { Route } from './gateway.js'
import { isFinding, judge } from './judge.js'
import type { CaseRounds, Played } from './result.js'
import { type CaseRun, runCase } from './run-case.js'
import type { Part } from './scene.js'
import { waitForQuiet } from './waiting.js'

/** What a case is played for, and where. */
export interface Stage {
  readonly reference: Reference
  readonly context: RunContext
  /** The endpoint whose answer goes wrong: the create, unless somebody chose another. */
  readonly route?: Route | undefined
}

/**
 * Plays one case by itself and judges it, each of its rounds with a cart of its own.
 *
 * @param only the round to play, of a case that has several
 */
export async function rehearse(one: Case, stage: Stage, only?: number): Promise<CaseRounds> {
  const { context } = stage
  payWhatIsLeft(context)
  context.own?.renewLimit()
  const played: Played[] = []
  const rounds = only === undefined ? [...roundsOf(one).keys()] : [only]
  let end: string | undefined
  for (const round of rounds) {
    const cart = context.carts.take()
    context.carts.giveTurn(cart)
    const isFollowed = round !== rounds.at(-1)
    const result = await playRound({ one, round, cart, isFollowed }, stage)
    played.push(result)
    const ended = await context.application.ended?.()
    end ??= ended
    if (isFinding(result.verdict) || ended !== undefined) await beginAnew(context)
    closeCart(result, stage)
    if (result.verdict.outcome === 'wrong') break
  }
  return { played, end }
}

/** Plays one round of a case and judges it. */
export async function playRound(part: Omit<Part, 'context' | 'target'>, stage: Stage): Promise<Played> {
  const run = await runCase({ ...part, target: targetOf(stage), context: stage.context })
  return { ...run, verdict: judge(part.one, run.evidence, stage.reference), round: part.round }
}

export function targetOf({ reference, context, route = createRoute(reference.kind) }: Stage): Target {
  return { kind: reference.kind, route, patienceMs: context.patienceMs, actMs: reference.actMs ?? 0 }
}

/** What a case has left behind must not be held against the next one: dead tokens, waits, an application that is gone. */
export async function beginAnew({ application, calmMs, gateway, signal, waitMs }: RunContext): Promise<void> {
  await application.restart?.(signal)
  // What an outbox sends now still belongs to this cart.
  await waitForQuiet(() => gateway.requests.length, 3 * calmMs, waitMs, signal)
}

/**
 * Lets succeed what no case has paid, such as what came when its cart had been judged: an application may look at open
 * payments again and again, and use the limiter up for them. Whose they are is not known where somebody else uses the
 * gateway as well.
 */
export function payWhatIsLeft({ gateway, own }: Pick<RunContext, 'gateway' | 'own'>): void {
  if (own === undefined) return
  const all = [...gateway.payins.list(), ...gateway.payouts.list()]
  for (const payment of all.filter(isOpen)) payment.settle('SUCCESS')
}

/** Writes down what the cart lacks: where nobody can see whose it is, it may still come. */
export function closeCart({ activity }: Pick<CaseRun, 'activity'>, { context, reference }: Stage): void {
  const { kind, others } = reference
  const wanted = { payin: others, payout: others, [kind]: 1 }
  const had = (one: 'payin' | 'payout') => activity.payments.filter((payment) => payment.kind === one).length
  context.carts.close({ payin: wanted.payin - had('payin'), payout: wanted.payout - had('payout') })
}

/** Why a case can't be played in this context; undefined when it can. */
export function whyNot(one: Case, { application, own }: Pick<RunContext, 'application' | 'own'>) {
  const needs = needsOf(one)
  // An act that is the application is killed by itself; its clock is nobody's.
  const canEnd =
    application.restart !== undefined || (one.after !== 'two hours' && application.actIsProgram === true)
  if (needs.includes('start') && !canEnd) return 'nobody said how the application is started'
  if (needs.includes('status') && application.status === undefined) {
    return 'nobody said where the application shows that it is paid'
  }
  return one.during === 'refuse connections' && own === undefined
    ? "this gateway can't stop listening"
    : undefined
}

/** The same, and why it can't at this endpoint and with these creates. */
export function whyNotHere(one: Case, { context, reference, route }: Stage): string | undefined {
  const isCreate = route === undefined || route === createRoute('payin') || route === createRoute('payout')
  const victim = victimOf(one)
  if (victim === 'create' && !isCreate) return 'it happens to a create only'
  if (victim === 'callback' && reference.isCalledBack === false) return 'the creates name no callbackUrl'
  if (one.returns && reference.kind === 'payout') return 'a payout names no returnUrl'
  return whyNot(one, context)
}
