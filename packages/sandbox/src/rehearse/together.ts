import { type Case, holdMsOf, roundsOf } from './case.js'
import type { Stage } from './context.js'
import { WIDTH } from './orders.js'
import { beginAnew, closeOrder } from './rehearsal.js'
import { type Result, resultOf } from './result.js'
import { rules } from './rules.js'
import { type Begun, begin, finish, type Played, runCase } from './run-case.js'

/** Rules that a slow application seems to break. */
const crowded: ReadonlySet<string> = new Set(
  (['none', 'late', 'undelivered', 'unread', 'unknown', 'action'] as const).map((name) => rules[name].rule),
)

/**
 * Returns those that have to be played again alone: what they have shown may be due to the others.
 *
 * @param isInTurns whether their first actions follow one another
 */
export async function playTogether(
  cases: readonly Case[],
  stage: Stage,
  isInTurns: boolean,
  keep: (one: Case, played: readonly Played[]) => void,
): Promise<readonly Case[]> {
  const { application, gateway, orders, rateLimit } = stage
  const unclear: Case[] = []
  const next = cases.flatMap((one) => {
    return roundsOf(one).map((_, round) => ({ one, round, order: orders.take() }))
  })
  // The longest first, so that none is left at the end.
  next.sort((a, b) => lastsMs(b.one, stage) - lastsMs(a.one, stage))
  const rounds = new Map<Case, Played[]>(cases.map((one) => [one, []]))
  orders.giveTurn()
  const { strays } = orders
  const add = async (one: Case, result: Played) => {
    const played = rounds.get(one) ?? []
    closeOrder(result.activity, stage)
    played.push(result)
    if (played.length < roundsOf(one).length) return
    if (isClear(resultOf(one, played)) && (await application.ended?.()) === undefined) keep(one, played)
    else unclear.push(one)
  }
  const work = async () => {
    for (let unit = next.shift(); unit !== undefined; unit = next.shift()) {
      await add(unit.one, await runCase({ ...stage, ...unit }))
    }
  }
  const workInTurns = async () => {
    const begun: Begun[] = []
    for (const unit of next) {
      orders.giveTurn(unit.order)
      begun.push(await begin({ ...stage, ...unit }))
      orders.giveTurn()
    }
    await Promise.all(begun.map(async (one) => add(one.scene.part.one, await finish(one))))
  }
  gateway.changeLimiter({ rateLimit: false })
  try {
    await (isInTurns ? workInTurns() : Promise.all(Array.from({ length: WIDTH }, work)))
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
  if (one.after === 'a while') return stage.whileMs
  return holdMsOf(one, stage) + (one.fault?.lasts === 'until tried again' ? stage.patienceMs : 0)
}
