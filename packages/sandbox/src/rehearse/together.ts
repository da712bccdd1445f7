import { abortable } from '../common/limit.js'
import { Activity } from './activity.js'
import { prepare } from './before.js'
import { aloneOf, type Case, createRoute, holdMsOf, roundsOf } from './case.js'
import type { Stage } from './context.js'
import { WIDTH } from './orders.js'
import { beginAnew, closeOrder, payWhatIsLeft } from './rehearsal.js'
import { type Result, resultOf } from './result.js'
import { rules } from './rules.js'
import { type Played, runCase } from './run-case.js'
import { Turns } from './turns.js'
import { answerTo, gate, waitForQuiet, waitUntil } from './waiting.js'

/** How long an application may take for an order while the responses to all others are held. */
const BESIDE_MS = 2500
const HELD_MS = 10_000
/** What an application that sends one create after another can wait for. */
const SHORT_HOLD_MS = 500
/** Rules that a slow application seems to break. */
const crowded: ReadonlySet<string> = new Set(
  (['none', 'late', 'unread', 'unknown', 'action'] as const).map((name) => rules[name].rule),
)

/** `later`: creates may wait for one another; `short`: only orders whose creates are not held for long. */
export type Company = 'all' | 'later' | 'short' | 'none'

/** All, where the application goes on with one order while the responses to the others are held. */
export async function companyFor(stage: Stage): Promise<Company> {
  const { gateway, orders, rateLimit } = stage
  if (!orders.areNamed) return 'none'
  gateway.changeLimiter({ rateLimit: false })
  try {
    return await meet(stage)
  } finally {
    gateway.changeLimiter({ rateLimit })
  }
}

async function meet(stage: Stage): Promise<Company> {
  const { application, calmMs, orders, gateway, patienceMs, reference, signal, waitMs } = stage
  const numbers = Array.from({ length: WIDTH }, () => orders.take())
  await Promise.all(numbers.map((order) => prepare(order, stage)))
  const all = numbers.map((order) => new Activity(orders, order))
  const [beside, ...others] = all
  const letGo = gate()
  const hold = gateway.fault({
    route: createRoute(reference.kind),
    times: Number.POSITIVE_INFINITY,
    action: { kind: 'delay', ms: HELD_MS },
    match: (request) => others.some((activity) => activity.owns(request)),
    until: () => letGo.opened,
  })
  let done = 0
  const place = async (activity: Activity) => {
    const { end } = await answerTo((ends) => application.action(activity.order, ends), patienceMs, signal)
    if (end === 'done') done += 1
  }
  const actions = others.map(place)
  const ordered = [...others]
  try {
    const isHeld = () => others.every(({ creates }) => creates.some(({ fault }) => fault !== undefined))
    if (!(await waitUntil(() => isHeld() || done === others.length, BESIDE_MS, signal))) return 'short'
    if (done === others.length) return 'later'
    if (beside === undefined) return 'none'
    actions.push(place(beside))
    ordered.push(beside)
    return (await waitUntil(() => beside.payments.length > 0, BESIDE_MS, signal)) ? 'all' : 'short'
  } finally {
    letGo.open()
    hold.remove()
    await abortable(Promise.allSettled(actions), signal)
    await waitUntil(() => all.filter(({ payments }) => payments.length > 0).length >= done, waitMs, signal)
    payWhatIsLeft(stage)
    await abortable(gateway.idle(), signal)
    await waitForQuiet(() => gateway.requests.length, calmMs, stage)
    // What nobody has ordered lacks nothing.
    for (const activity of ordered) closeOrder(activity, stage)
  }
}

export function fits(one: Case, company: Company, stage: Stage): boolean {
  if (aloneOf(one) !== undefined || company === 'none') return false
  return company !== 'short' || !holdsLong(one, stage)
}

function holdsLong(one: Case, stage: Stage): boolean {
  if (one.fault?.action.kind === 'timeout') return true
  return holdMsOf(one, stage) > SHORT_HOLD_MS
}

interface Together {
  readonly stage: Stage
  /** Whether an order's create may wait until the responses to the others are no longer held. */
  readonly mayWait: boolean
  /** Whether their first actions follow one another. */
  readonly isInTurns: boolean
  keep(one: Case, played: readonly Played[]): void
}

/** Returns those that have to be played again alone: what they have shown may be due to the others. */
export async function playTogether(
  cases: readonly Case[],
  { stage: given, mayWait, isInTurns, keep }: Together,
): Promise<readonly Case[]> {
  const heldMs = mayWait ? cases.reduce((sum, one) => sum + lastsMs(one, given), 0) : 0
  const stage = { ...given, waitMs: given.waitMs + heldMs }
  const { application, gateway, orders, rateLimit } = stage
  const unclear: Case[] = []
  const next = cases.flatMap((one) => {
    return roundsOf(one).map((_, round) => ({ one, round, order: orders.take() }))
  })
  const turns = isInTurns ? new Turns(orders, next.length) : undefined
  const width = isInTurns ? next.length : WIDTH
  // The longest first, so that none is left at the end.
  if (!isInTurns) next.sort((a, b) => lastsMs(b.one, stage) - lastsMs(a.one, stage))
  const rounds = new Map<Case, Played[]>(cases.map((one) => [one, []]))
  orders.giveTurn()
  const { strays } = orders
  const work = async () => {
    for (let unit = next.shift(); unit !== undefined; unit = next.shift()) {
      const { one } = unit
      const turn = turns?.of(unit.order)
      const played = rounds.get(one) ?? []
      const result = await runCase({ ...stage, ...unit, turn }).finally(turn?.end)
      closeOrder(result.activity, stage)
      played.push(result)
      if (played.length < roundsOf(one).length) continue
      if (isClear(resultOf(one, played)) && (await application.ended?.()) === undefined) keep(one, played)
      else unclear.push(one)
    }
  }
  gateway.changeLimiter({ rateLimit: false })
  try {
    await Promise.all(Array.from({ length: width }, work))
  } finally {
    gateway.changeLimiter({ rateLimit })
  }
  await beginAnew(stage)
  return orders.strays > strays ? cases : unclear
}

/** What a crowd can't have caused: two payments that name one order are two, whoever else is there. */
function isClear({ verdict: { outcome, rule } }: Result): boolean {
  return outcome === 'right' || (outcome === 'wrong' && rule !== undefined && !crowded.has(rule))
}

function lastsMs(one: Case, stage: Stage): number {
  const patienceMs = one.fault?.lasts === 'until tried again' ? stage.patienceMs : 0
  return holdMsOf(one, stage) + patienceMs
}
