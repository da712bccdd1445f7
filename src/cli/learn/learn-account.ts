import { jsonOf } from '../../client/input/json.js'
import { type Finding, ok, skip, warn } from '../doctor/finding.js'
import { isSuccess, whyNot } from './answer.js'
import type { PaymentRequests } from './payment-requests.js'
import { get, mint, post, type SignedSession } from './session.js'

/** What the endpoints without a payment answer. @returns the JSON of the payment options, for the payin to come. */
export async function* learnAccount(
  session: SignedSession,
  payinsToken: string | undefined,
  { money }: PaymentRequests,
): AsyncGenerator<Finding, unknown> {
  const { asker, notebook } = session
  const lists = [
    ['GET /merchant-info', '/merchant-info'],
    ['GET /balances', `/balances?currencies=${encodeURIComponent(money.currencyCode)}`],
    ['GET /currencies', '/currencies'],
    ['GET /payment-operators', '/payment-operators'],
  ] as const
  const problems: string[] = []
  for (const [route, path] of lists) {
    const minted = await mint(session, { operations: [route] })
    const reply = 'token' in minted ? await asker.ask(get(path, minted.token)) : minted.reply
    if ('token' in minted && isSuccess(reply)) notebook.answered(route, reply)
    else {
      const why = 'token' in minted ? whyNot(reply) : `a token for it: ${whyNot(reply)}`
      notebook.answerNotSeen(route, why)
      problems.push(`${route}: ${why}`)
    }
  }
  let options: unknown
  if (payinsToken !== undefined) {
    const route = 'POST /payins/!availablePaymentOptions'
    const reply = await asker.ask(post('/payins/!availablePaymentOptions', payinsToken, { money }))
    if (isSuccess(reply)) {
      notebook.answered(route, reply)
      options = jsonOf(reply.body)
    } else {
      notebook.answerNotSeen(route, whyNot(reply))
      problems.push(`${route}: ${whyNot(reply)}`)
    }
    notebook.refusal('path-unknown', await asker.ask(get('/payins/learn/no-such-path', payinsToken)))
  }
  if (problems.length === 0) yield ok('account', 'merchant information, balances, lists and options are seen')
  else yield warn('account', problems.join('; '), 'Ask the platform to allow what you need of it.')
  return options
}

/** Whether operations are matched with paths as they are sent, or as they read. */
export async function learnIdsInOperations(session: SignedSession, random: string): Promise<Finding> {
  const { asker, notebook } = session
  const check = 'operations'
  const notAllowed = notebook.known.refusals?.['token-not-allowed']
  const unseen = (why: string) => {
    notebook.notSeen('tokens.idsInOperations', why)
    return skip(check, `not seen: ${why}`)
  }
  if (notAllowed === undefined) return unseen('a token for something else is not refused')
  const path = `/payins/learn%3A${random}`
  const forms = [
    ['percent-encoded', path],
    ['decoded', `/payins/learn:${random}`],
  ] as const
  let why = 'neither form of an id was taken'
  for (const [idsInOperations, pattern] of forms) {
    const minted = await mint(session, { operations: [`GET ${pattern}`] })
    if (!('token' in minted)) {
      why = `a token for it: ${whyNot(minted.reply)}`
      continue
    }
    const reply = await asker.ask(get(path, minted.token))
    if (reply.kind !== 'answered' || reply.status >= 500) why = whyNot(reply)
    // Allowed, and there is no such payment.
    else if (reply.status !== notAllowed.status && reply.status !== 401) {
      notebook.add({ tokens: { idsInOperations } })
      return ok(check, `ids stand ${idsInOperations} in them`)
    }
  }
  return unseen(why)
}
