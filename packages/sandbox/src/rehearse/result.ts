import { type Case, roundsOf } from './case.js'
import type { ActionRecord, CountedPayment, Reference } from './evidence.js'
import type { HistoryLine } from './history.js'
import { notPlayed, type Verdict } from './judge.js'
import type { Played } from './run-case.js'

export interface Result {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  /** The number of the order; undefined where nothing was played. */
  readonly order: number | undefined
  readonly actions: readonly ActionRecord[]
  readonly payments: readonly Omit<CountedPayment, 'account'>[]
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

const worstFirst = ['wrong', 'not yet', 'right', 'could not tell', 'not played'] as const

/** The round that the verdict is about: a wrong one, else one that has shown something. */
function telling(played: readonly Played[]): Played | undefined {
  return worstFirst.flatMap((outcome) => played.filter(({ verdict }) => verdict.outcome === outcome))[0]
}

function joined(one: Case, played: readonly Played[], { verdict, round }: Played): Verdict {
  const name = roundsOf(one)[round]
  if (name === undefined) return verdict
  const verdicts = played.map((other) => other.verdict)
  if (verdict.outcome === 'right')
    return { ...verdict, sentence: `${verdict.sentence}, ${roundsText(one, verdicts)}` }
  return { ...verdict, sentence: `${name}: ${verdict.sentence}` }
}

/** Such as `in 10 of 12 rounds; could not tell: …, in 2`. */
export function roundsText(one: Case, verdicts: readonly Verdict[]): string {
  const rounds = roundsOf(one).length
  const others = verdicts.flatMap(({ outcome, sentence }) => (outcome === 'right' ? [] : [sentence]))
  const countOf = (sentence: string) => others.filter((other) => other === sentence).length
  const left = rounds - verdicts.length
  return [
    `in ${verdicts.length - others.length} of ${rounds} rounds`,
    ...[...new Set(others)].map((sentence) => `${sentence}, in ${countOf(sentence)}`),
    ...(left > 0 ? [`${left} not played, because the time of the case was over`] : []),
  ].join('; ')
}

export function resultOfNone({ name, title }: Case, why: string): Result {
  const nothing = { order: undefined, actions: [], payments: [], history: [], tookMs: 0 }
  return { name, title, verdict: notPlayed(why), ...nothing }
}

export function resultOf(one: Case, played: readonly Played[]): Result {
  const shown = telling(played)
  if (shown === undefined) return resultOfNone(one, 'it has no round')
  const verdict = joined(one, played, shown)
  const { order, evidence, history } = shown
  // The account stays here.
  const payments = evidence.payments.map(({ kind, id, status, money }) => ({ kind, id, status, money }))
  const end = played.find((one) => one.end !== undefined)?.end
  const ended = end ? `; the application has ended by itself (${end}), and was started again` : ''
  return {
    name: one.name,
    title: one.title,
    verdict: { ...verdict, sentence: verdict.sentence + ended },
    order,
    actions: evidence.actions,
    payments,
    history,
    tookMs: Math.max(...played.map((one) => one.tookMs)),
  }
}

/** The same when the order has got another payment since it was judged; undefined where it has none. */
export function withSurplus(
  result: Result,
  played: readonly Played[],
  { kind, others }: Reference,
): Result | undefined {
  const hasMore = played.some(({ activity, evidence }) => {
    return activity.payments.length > Math.max(1 + others, evidence.payments.length)
  })
  if (!hasMore || result.verdict.outcome === 'wrong') return undefined
  const sentence = `a ${kind} too many: it was created for the first time when a later order was played`
  return { ...result, verdict: { outcome: 'wrong', sentence } }
}
