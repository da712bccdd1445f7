import { type Case, roundsOf } from './case.js'
import type { ActRecord, CountedPayment, Reference } from './evidence.js'
import type { HistoryLine } from './history.js'
import { notPlayed, type Verdict } from './judge.js'
import type { Played } from './run-case.js'

/** How one case went. */
export interface Result {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  /** The number of the cart; undefined where nothing was played. */
  readonly cart: number | undefined
  readonly acts: readonly ActRecord[]
  /** What the gateway holds for the cart. */
  readonly payments: readonly Omit<CountedPayment, 'account'>[]
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

const worstFirst = ['wrong', 'not yet', 'right', 'could not tell'] as const

/** The round that the verdict is about: a wrong one, else one that has shown something. */
function telling(played: readonly Played[]): Played | undefined {
  return worstFirst
    .map((outcome) => played.find(({ verdict }) => verdict.outcome === outcome))
    .find((one) => one !== undefined)
}

/** The verdict on a case by its telling round. */
function joined(one: Case, played: readonly Played[], { verdict, round }: Played): Verdict {
  const name = roundsOf(one)[round]
  if (name === undefined) return verdict
  if (verdict.outcome === 'right') {
    const count = played.filter((one) => one.verdict.outcome === 'right').length
    return { ...verdict, sentence: `${verdict.sentence}, in ${count} of ${played.length} rounds` }
  }
  const again = name.startsWith('interleaving') ? `, which --${name} plays again` : ''
  return { ...verdict, sentence: `${name}${again}: ${verdict.sentence}` }
}

export function resultOfNone({ name, title }: Case, why: string): Result {
  const nothing = { cart: undefined, acts: [], payments: [], history: [], tookMs: 0 }
  return { name, title, verdict: notPlayed(why), ...nothing }
}

export function resultOf(one: Case, played: readonly Played[]): Result {
  const told = telling(played)
  if (told === undefined) return resultOfNone(one, 'it has no round')
  const verdict = joined(one, played, told)
  const { cart, evidence, history } = told
  // The account stays here.
  const payments = evidence.payments.map(({ kind, id, status, money }) => ({ kind, id, status, money }))
  const end = played.find((one) => one.end !== undefined)?.end
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
    tookMs: Math.max(...played.map((one) => one.tookMs)),
  }
}

/** The same when the cart has got another payment since it was judged; undefined where it has none. */
export function withSurplus(
  result: Result,
  played: readonly Played[],
  { kind, others }: Reference,
): Result | undefined {
  const hasMore = played.some(({ activity, evidence }) => {
    return activity.payments.length > Math.max(1 + others, evidence.payments.length)
  })
  if (!hasMore || result.verdict.outcome === 'wrong') return undefined
  const sentence = `a ${kind} too many: it was created for the first time when a later cart was played`
  return { ...result, verdict: { outcome: 'wrong', sentence } }
}
