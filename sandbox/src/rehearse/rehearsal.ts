import { restartIfPossible } from './application.js'
import { type Case, createRoute, type Target } from './cases.js'
import type { RunContext } from './context.js'
import type { ActRecord, CountedPayment, Reference } from './evidence.js'
import type { Kind, Route } from './gateway.js'
import type { HistoryLine } from './history.js'
import { isFinding, judge, notPlayed, perhapsEarlier, type Verdict } from './judge.js'
import { type CaseRun, type Round, runCase } from './run-case.js'
import { waitForQuiet } from './waiting.js'

/** How one case went. */
export interface Result {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  /** The number of the cart; undefined where nothing was played. */
  readonly cart: number | undefined
  readonly acts: readonly ActRecord[]
  /** What the gateway holds for the cart. */
  readonly payments: readonly Omit<CountedPayment, 'account' | 'mayBeEarlier'>[]
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

/** One round of a case, judged. */
export interface Played {
  readonly run: CaseRun
  readonly verdict: Verdict
  readonly round: number
}

/** What a case is played for, and where. */
export interface Stage {
  readonly reference: Reference
  readonly context: RunContext
  /** The endpoint whose answer goes wrong: the create, unless somebody chose another. */
  readonly route?: Route | undefined
}

/** How many carts a case takes: one for each of its rounds. */
export function cartsOf({ rounds }: Case): number {
  return rounds?.length ?? 1
}

/**
 * Plays one case by itself and judges it, with as many carts as it has rounds, from this one on.
 *
 * @param only the round to play, of a case that has several
 */
export async function rehearse(one: Case, cart: number, stage: Stage, only?: number): Promise<Result> {
  const impossible = whyNotHere(one, stage)
  if (impossible !== undefined) return resultOfNone(one, impossible)
  const { context, reference } = stage
  context.own?.renewLimit()
  const played: Played[] = []
  const rounds = only === undefined ? Array.from({ length: cartsOf(one) }, (_, round) => round) : [only]
  let end: string | undefined
  for (const round of rounds) {
    const isFollowed = round !== rounds.at(-1)
    const result = await playRound(one, cart + round, stage, { round, isFollowed })
    played.push(result)
    const ended = await context.application.ended?.()
    end ??= ended
    if (isFinding(result.verdict) || ended !== undefined) await beginAnew(context)
    // What comes from now on is the next cart's.
    closeCart(result.run, reference, context)
    if (result.verdict.outcome === 'wrong') break
  }
  return resultOf(one, played, end)
}

/** Plays one round of a case and judges it. */
export async function playRound(one: Case, cart: number, stage: Stage, round: Round): Promise<Played> {
  const run = await runCase(one, cart, targetOf(stage), stage.context, round)
  return { run, verdict: judge(one, run.evidence, stage.reference), round: round.round }
}

export function targetOf({ reference, context, route = createRoute(reference.kind) }: Stage): Target {
  return { kind: reference.kind, route, patienceMs: context.patienceMs, actMs: reference.actMs ?? 0 }
}

const worstFirst = ['wrong', 'not yet', 'right', 'could not tell'] as const

/** The round that the verdict is about: a wrong one, else one that has shown something. */
function telling(played: readonly Played[]): Played | undefined {
  return worstFirst
    .map((outcome) => played.find(({ verdict }) => verdict.outcome === outcome))
    .find((one) => one !== undefined)
}

/** The verdict on a case by its telling round. */
function joined({ rounds }: Case, played: readonly Played[], { verdict, round }: Played): Verdict {
  const name = rounds?.[round]
  if (name === undefined) return verdict
  if (verdict.outcome === 'right') {
    const count = played.filter((one) => one.verdict.outcome === 'right').length
    return { ...verdict, sentence: `${verdict.sentence}, in ${count} of ${played.length} rounds` }
  }
  const again = name.startsWith('interleaving') ? `, which --${name} plays again` : ''
  return { ...verdict, sentence: `${name}${again}: ${verdict.sentence}` }
}

/** What a case has left behind must not be held against the next one: dead tokens, waits, an application that is gone. */
export async function beginAnew({ application, calmMs, gateway, signal, waitMs }: RunContext): Promise<void> {
  await restartIfPossible(application, signal)
  // What an outbox sends now still belongs to this cart.
  await waitForQuiet(() => gateway.requests.length, 3 * calmMs, waitMs, signal)
}

/** A case that was judged, and whose cart got another payment when a later one was played. */
export function withSurplus(result: Result, { kind }: Reference): Result {
  const sentence = `a ${kind} too many: it was created for the first time when a later cart was played`
  return { ...result, verdict: { outcome: 'wrong', sentence } }
}

/** Writes down what the cart has got, and which payments came for earlier carts. */
export function closeCart(
  { activity, cart, evidence }: CaseRun,
  reference: Reference,
  { carts }: RunContext,
): void {
  const expected = { payin: reference.others, payout: reference.others, [reference.kind]: 1 }
  const payments = activity.counted()
  const of = (kind: Kind) => {
    const mine = payments.filter((payment) => payment.kind === kind)
    const surplus = Math.max(0, mine.length - expected[kind])
    const perhapsLate = perhapsEarlier(mine, Math.min(surplus, evidence.missing[kind]))
    carts.addPerhapsLate(kind, perhapsLate)
    return mine.slice(0, mine.length - perhapsLate).map(({ id }) => id)
  }
  carts.close(cart, expected, { payin: of('payin'), payout: of('payout') })
  for (const { kind, cart: late, id } of activity.late()) carts.addLate(kind, late, id)
}

/** Why a case can't be played in this context; undefined when it can. */
export function whyNot(
  { name, needs = [] }: Case,
  { application, own }: Pick<RunContext, 'application' | 'own'>,
) {
  // An act that is the application is killed by itself; its clock is nobody's.
  const canEnd =
    application.restart !== undefined || (name !== 'paid-late' && application.actIsProgram === true)
  if (needs.includes('start') && !canEnd) return 'nobody said how the application is started'
  if (needs.includes('status') && application.status === undefined) {
    return 'nobody said where the application shows that it is paid'
  }
  return name === 'refused' && own === undefined ? "this gateway can't stop listening" : undefined
}

/** The same, and why it can't at this endpoint and with these creates. */
export function whyNotHere(one: Case, { context, reference, route }: Stage): string | undefined {
  const isCreate = route === undefined || route === createRoute('payin') || route === createRoute('payout')
  if (one.of === 'create' && !isCreate) return 'it happens to a create only'
  if (one.of === 'callback' && reference.isCalledBack === false) return 'the creates name no callbackUrl'
  return whyNot(one, context)
}

export function resultOfNone({ name, title }: Case, why: string): Result {
  const nothing = { cart: undefined, acts: [], payments: [], history: [], tookMs: 0 }
  return { name, title, verdict: notPlayed(why), ...nothing }
}

/** @param end how the application has ended by itself; undefined when it runs */
export function resultOf(one: Case, played: readonly Played[], end?: string): Result {
  const told = telling(played)
  if (told === undefined) return resultOfNone(one, 'it has no round')
  const verdict = joined(one, played, told)
  const { cart, evidence, history } = told.run
  // The account stays here.
  const payments = evidence.payments.map(({ kind, id, status, money }) => ({ kind, id, status, money }))
  const ended =
    end === undefined ? '' : `; the application has ended by itself (${end}), and was started again`
  return {
    name: one.name,
    title: one.title,
    verdict: { ...verdict, sentence: verdict.sentence + ended },
    cart,
    acts: evidence.acts,
    payments,
    history,
    tookMs: Math.max(...played.map(({ run }) => run.tookMs)),
  }
}
