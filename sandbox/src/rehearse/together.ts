import { limited } from '../../../src/client/input/limit.js'
import { Activity } from './activity.js'
import { type Case, clean, createRoute } from './cases.js'
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
  whyNotHere,
} from './rehearsal.js'
import { rules } from './rules.js'
import { abortable, waitForQuiet, waitUntil } from './waiting.js'

/** How many carts are played side by side. */
const WIDTH = 6
/** How long an application may take for a cart while the answers to all others are held. */
const BESIDE_MS = 2500
/** Rules that a slow application seems to break. */
const crowded: ReadonlySet<string> = new Set(
  (['none', 'late', 'unread', 'unknown', 'act'] as const).map((name) => rules[name].rule),
)
/** Longer than that. */
const HELD_MS = 10_000

/**
 * Whether carts can be played side by side: the creates of the two carts before have named their cart, nobody else uses
 * the gateway, and the application goes on with one cart while the answers to five others are held.
 */
export async function mayPlayTogether(stage: Stage, takeCart: () => number): Promise<boolean> {
  const { reference, context, route } = stage
  const { application, calmMs, carts, gateway, own, patienceMs, signal, waitMs } = context
  if (own === undefined || !carts.areNamed || application.before !== undefined) return false
  if (route?.startsWith('POST /auth-tokens')) return false
  own.suspendLimit()
  const activities = Array.from({ length: WIDTH }, () => new Activity(gateway, carts, takeCart()))
  const beside = activities.pop()
  const letGo = new AbortController()
  const released = new Promise<void>((resolve) => letGo.signal.addEventListener('abort', () => resolve()))
  const holds = activities.map((activity) =>
    gateway.fault({
      route: createRoute(reference.kind),
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'delay', ms: HELD_MS },
      match: (request) => activity.owns(request),
      until: () => released,
    }),
  )
  const act = ({ cart }: Activity) =>
    limited({ signals: [signal], ms: patienceMs }, (ends) => abortable(application.act(cart, ends), ends))
  const acts = activities.map(act)
  try {
    const isHeld = await waitUntil(() => holds.every(({ hits }) => hits > 0), BESIDE_MS, signal)
    if (!isHeld || beside === undefined) return false
    acts.push(act(beside))
    return await waitUntil(() => beside.payments.length > 0, BESIDE_MS, signal)
  } finally {
    letGo.abort()
    for (const hold of holds) hold.remove()
    await abortable(Promise.allSettled(acts), signal)
    await waitForQuiet(() => gateway.requests.length, calmMs, waitMs, signal)
    const expected = { payin: 0, payout: 0, [reference.kind]: 1 }
    for (const activity of [...activities, ...(beside ? [beside] : [])]) {
      const ids = activity.payments.map(({ id }) => id)
      carts.close(activity.cart, expected, { payin: [], payout: [], [reference.kind]: ids })
    }
    own.renewLimit()
  }
}

/**
 * Plays cases side by side, and returns those that have to be played again alone: what they have shown may be due to
 * the others, because the application was slow or has ended.
 */
export async function playTogether(
  cases: readonly Case[],
  stage: Stage,
  takeCarts: (one: Case) => number,
  keep: (one: Case, result: Result) => void,
): Promise<Case[]> {
  const { context, reference } = stage
  const { application, own } = context
  const possible = cases.filter((one) => {
    const why = whyNotHere(one, stage)
    if (why !== undefined) keep(one, resultOfNone(one, why))
    return why === undefined
  })
  const unclear: Case[] = []
  const units = possible.flatMap((one) => {
    const cart = takeCarts(one)
    const rounds = Array.from({ length: cartsOf(one) }, (_, round) => ({ one, round, cart: cart + round }))
    return rounds.map((unit) => ({ ...unit, lastsMs: lastsMs(one, unit.round, stage) }))
  })
  // The longest first, so that none is left at the end.
  units.sort((a, b) => b.lastsMs - a.lastsMs)
  const played = new Map<Case, Played[]>(possible.map((one) => [one, []]))
  const work = async () => {
    for (let unit = units.shift(); unit !== undefined; unit = units.shift()) {
      const { one, round, cart } = unit
      const done = played.get(one) ?? []
      const result = await playRound(one, round, cart, stage)
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
    await Promise.all(Array.from({ length: WIDTH }, work))
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

function lastsMs(
  one: Case,
  round: number,
  { reference, context, route = createRoute(reference.kind) }: Stage,
): number {
  const { patienceMs } = context
  const { holdMs = 0, lasts } = one.plan({ kind: reference.kind, route, patienceMs, actMs: 0 }, round)
  return one === clean ? 0 : holdMs + (lasts ? patienceMs : 0)
}
