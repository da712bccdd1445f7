import { Activity } from './activity.js'
import { answerTo } from './answer-to.js'
import { WIDTH } from './carts.js'
import { type Case, createRoute, type FaultPlan } from './cases.js'
import {
  beginAnew,
  cartsOf,
  closeCart,
  type Played,
  playRound,
  type Result,
  resultOf,
  resultOfNone,
  type Stage,
  targetOf,
  whyNotHere,
} from './rehearsal.js'
import { rules } from './rules.js'
import { turnsFor } from './turns.js'
import { abortable, gate, waitForQuiet, waitUntil } from './waiting.js'

/** How long an application may take for a cart while the answers to all others are held. */
const BESIDE_MS = 2500
/** Longer than that. */
const HELD_MS = 10_000
/** What an application that sends one create after another can wait for. */
const SHORT_HOLD_MS = 500
/** Rules that a slow application seems to break. */
const crowded: ReadonlySet<string> = new Set(
  (['none', 'late', 'unread', 'unknown', 'act'] as const).map((name) => rules[name].rule),
)

/**
 * Which carts can be played side by side: all; all, but creates may wait for one another (`later`); those that hold no
 * create for long; or none.
 */
export type Company = 'all' | 'later' | 'short' | 'none'

/**
 * What can be played side by side: something where the creates of the two carts before have named their cart and nobody
 * else uses the gateway, and all where the application goes on with one cart while the answers to the others are held:
 * it creates its payment, or answers the act at once, as with an outbox.
 */
export async function companyFor(stage: Stage, takeCart: () => number): Promise<Company> {
  const { reference, context, route } = stage
  const { application, calmMs, carts, gateway, own, patienceMs, signal, waitMs } = context
  if (own === undefined || !carts.areNamed || application.before !== undefined) return 'none'
  if (route?.startsWith('POST /auth-tokens')) return 'none'
  own.suspendLimit()
  const beside = new Activity(gateway, carts, takeCart())
  const others = Array.from({ length: WIDTH - 1 }, () => new Activity(gateway, carts, takeCart()))
  const letGo = gate()
  const holds = others.map((activity) =>
    gateway.fault({
      route: createRoute(reference.kind),
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'delay', ms: HELD_MS },
      match: (request) => activity.owns(request),
      until: () => letGo.opened,
    }),
  )
  let done = 0
  const act = async ({ cart }: Activity) => {
    const { isDone } = await answerTo((ends) => application.act(cart, ends), patienceMs, signal)
    if (isDone) done += 1
  }
  const acts = others.map(act)
  try {
    const isHeld = () => holds.every(({ hits }) => hits > 0)
    if (!(await waitUntil(() => isHeld() || done === others.length, BESIDE_MS, signal))) return 'short'
    if (done === others.length) return 'later'
    acts.push(act(beside))
    return (await waitUntil(() => beside.payments.length > 0, BESIDE_MS, signal)) ? 'all' : 'short'
  } finally {
    letGo.open()
    for (const hold of holds) hold.remove()
    await abortable(Promise.allSettled(acts), signal)
    const all = [beside, ...others]
    await waitUntil(() => all.filter(({ payments }) => payments.length > 0).length >= done, waitMs, signal)
    // An application may look at open payments again and again, and use the limiter up for them.
    for (const { payments } of all) for (const payment of payments) payment.settle('SUCCESS')
    await abortable(gateway.idle(), signal)
    await waitForQuiet(() => gateway.requests.length, calmMs, waitMs, signal)
    const expected = { payin: 0, payout: 0, [reference.kind]: 1 }
    for (const activity of all) {
      const ids = activity.payments.map(({ id }) => id)
      carts.close(activity.cart, expected, { payin: [], payout: [], [reference.kind]: ids })
    }
    own.renewLimit()
  }
}

/** Whether a case can be played beside others. */
export function fits(one: Case, company: Company, stage: Stage): boolean {
  if (one.alone !== undefined || company === 'none') return false
  return company !== 'short' || !holdsLong(one.plan(targetOf(stage), 0))
}

function holdsLong({ fault, holdMs = 0, interleaving }: FaultPlan): boolean {
  return holdMs > SHORT_HOLD_MS || fault?.action.kind === 'timeout' || interleaving?.events[0] === 'act'
}

/** What cases are played for that are played together. */
interface Together {
  readonly stage: Stage
  /** Whether a cart's create may wait until the answers to the others are no longer held. */
  readonly mayWait: boolean
  /** Whether their first acts follow one another. */
  readonly inTurns: boolean
  takeCarts(one: Case): number
  keep(one: Case, result: Result): void
}

/**
 * Plays cases side by side, and returns those that have to be played again alone: what they have shown may be due to
 * the others, because the application was slow or has ended.
 */
export async function playTogether(
  cases: readonly Case[],
  { stage: given, mayWait, inTurns, takeCarts, keep }: Together,
): Promise<Case[]> {
  const heldMs = mayWait ? cases.reduce((sum, one) => sum + lastsMs(one, 0, given), 0) : 0
  const context = { ...given.context, waitMs: given.context.waitMs + heldMs }
  const stage = { ...given, context }
  const { reference } = stage
  const { application, own } = context
  const possible = cases.filter((one) => {
    const why = whyNotHere(one, stage)
    if (why !== undefined) keep(one, resultOfNone(one, why))
    return why === undefined
  })
  if (possible.length === 0) return []
  const unclear: Case[] = []
  const units = possible.flatMap((one) => {
    const cart = takeCarts(one)
    const rounds = Array.from({ length: cartsOf(one) }, (_, round) => ({ one, round, cart: cart + round }))
    return rounds.map((unit) => ({ ...unit, lastsMs: lastsMs(one, unit.round, stage) }))
  })
  const turns = inTurns ? turnsFor(units.length) : []
  const next = units.map((unit, index) => ({ ...unit, turn: turns[index] }))
  // The longest first, so that none is left at the end.
  if (!inTurns) next.sort((a, b) => b.lastsMs - a.lastsMs)
  const played = new Map<Case, Played[]>(possible.map((one) => [one, []]))
  const work = async () => {
    for (let unit = next.shift(); unit !== undefined; unit = next.shift()) {
      const { one, round, cart, turn } = unit
      const done = played.get(one) ?? []
      const result = await playRound(one, cart, stage, { round, ...(turn && { turn }) }).finally(() =>
        turn?.end(),
      )
      closeCart(result.run, reference, context)
      done.push(result)
      if (done.length < cartsOf(one)) continue
      const whole = resultOf(one, done)
      if (isClear(whole) && (await application.ended?.()) === undefined) keep(one, whole)
      else unclear.push(one)
    }
  }
  own?.suspendLimit()
  try {
    await Promise.all(Array.from({ length: inTurns ? units.length : WIDTH }, work))
  } finally {
    own?.renewLimit()
  }
  await beginAnew(context)
  return unclear
}

/** What a crowd can't have caused: two payments of one cart are two, whoever else is there. */
function isClear({ verdict: { outcome, rule } }: Result): boolean {
  return outcome === 'right' || (outcome === 'wrong' && rule !== undefined && !crowded.has(rule))
}

function lastsMs(one: Case, round: number, stage: Stage): number {
  const { holdMs = 0, lasts } = one.plan(targetOf(stage), round)
  return holdMs + (lasts ? stage.context.patienceMs : 0)
}
