import type { RateProfile } from '../../../../src/client/profile/gateway-profile.js'
import type { Question, Reply } from '../answer.js'
import { type Finding, ok, skip } from '../doctor/finding.js'
import { get, mint, type SignedSession } from './session.js'

/** One more than the ten of section 8: the smallest number that can be too many. */
const tooMany = 11
/** As many as take a second at the usual pace, which is below ten a second however they are counted. */
const aSecond = 8

/** What questions at once tell of how requests are counted. */
export type Counting =
  | { readonly counted: NonNullable<RateProfile['counted']>; readonly message: string }
  | { readonly why: string }

/** @param atOnce how many requests were sent at once; `replies` are their answers. */
export function judgeCounting(atOnce: number, replies: readonly Reply[]): Counting | undefined {
  const refused = replies.filter((reply) => reply.kind === 'answered' && reply.status === 429).length
  const failed = replies.filter((reply) => reply.kind === 'none' || reply.status >= 500).length
  if (failed > 0) return { why: `${failed} of ${atOnce} requests at once came to nothing` }
  if (atOnce === 2) {
    if (refused === 0) return undefined
    if (refused === 2)
      return { why: 'two requests after a silence were refused both: others spend the same budget' }
    return { counted: 'evenly-spaced', message: 'of two requests at once one is refused' }
  }
  if (refused === 0) return { counted: 'in-windows', message: `${atOnce} requests at once are taken` }
  if (refused === 1) return { counted: 'in-windows', message: 'of eleven requests at once ten are taken' }
  return { why: `of ${atOnce} requests at once ${atOnce - refused} were taken, and of two both` }
}

/** Asks two at once, and where both are taken, one more than the limit: the last is refused and not processed. */
export async function learnRate(session: SignedSession): Promise<Finding> {
  const { asker, draft } = session
  const check = 'rate limit'
  const minted = await mint(session, { operations: ['GET /merchant-info'] })
  if (!('token' in minted)) return skip(check, 'not asked, since there was no token')
  const question = get('/merchant-info', minted.token)
  let counting: Counting | undefined
  for (const count of [2, tooMany]) {
    const replies = await asker.atOnce(question, count)
    for (const reply of replies) {
      if (reply.kind === 'answered' && reply.status === 429) {
        draft.refused('rate-exceeded', reply)
        draft.add({ rate: { retryAfter: reply.retryAfter } })
      }
    }
    if (count === tooMany) await learnTakenAtOnce(session, question, takenOf(replies))
    counting = judgeCounting(count, replies)
    if (counting !== undefined) break
  }
  const { retryAfter } = draft.known.rate ?? {}
  if (retryAfter === undefined) {
    const why = `no request was refused for the rate: ${tooMany} at once were the most that was tried`
    draft.notSeen('rate.retryAfter', why)
    draft.notSeen('refusals.rate-exceeded', why)
  }
  if (counting === undefined || 'why' in counting) {
    const why = counting?.why ?? 'it was not asked'
    return draft.unseen(check, 'rate.counted', why)
  }
  draft.add({ rate: { counted: counting.counted } })
  if (counting.counted === 'evenly-spaced') await learnTakenInARow(session, question)
  const header = retryAfter === undefined ? '' : `, Retry-After: ${retryAfter}`
  return ok(check, `${counting.message}${header}`)
}

/** How many were taken; undefined where some came to nothing. */
function takenOf(replies: readonly Reply[]): number | undefined {
  const answered = replies.filter((reply) => reply.kind === 'answered' && reply.status < 500)
  if (answered.length < replies.length) return undefined
  return answered.filter((reply) => reply.kind === 'answered' && reply.status !== 429).length
}

/** Fewer than ten are asked once more: somebody else may have spent a part just then. */
async function learnTakenAtOnce(
  { asker, draft }: SignedSession,
  question: Question,
  first: number | undefined,
): Promise<void> {
  if (first === undefined) return
  const second = first < tooMany - 1 ? takenOf(await asker.atOnce(question, tooMany)) : undefined
  draft.add({ rate: { takenAtOnce: Math.max(first, second ?? 0) } })
}

/** Where two at once are too many, those that come one after the other tell the rate. */
async function learnTakenInARow({ asker, draft }: SignedSession, question: Question): Promise<void> {
  const first = takenOf(await asker.inARow(question, aSecond))
  if (first === undefined) return
  const second = first < aSecond ? takenOf(await asker.inARow(question, aSecond)) : undefined
  draft.add({ rate: { takenInARow: Math.max(first, second ?? 0) } })
}
