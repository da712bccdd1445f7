import { jsonOf } from '../../../../src/client/input/json.js'
import { isSuccess, whyNot } from '../answer.js'
import { type Finding, ok, warn } from '../doctor/finding.js'
import type { PaymentRequests } from './payment-requests.js'
import { get, mint, post, type SignedSession } from './session.js'

/** What the endpoints without a payment answer. @returns the JSON of the payment options, for the payin to come. */
export async function* learnAccount(
  session: SignedSession,
  payinsToken: string | undefined,
  { money }: PaymentRequests,
): AsyncGenerator<Finding, unknown> {
  const { asker, draft } = session
  const lists = [
    ['GET /merchant-info', '/merchant-info'],
    ['GET /balances', `/balances?currencies=${encodeURIComponent(money.currencyCode)}`],
    ['GET /currencies', '/currencies'],
    ['GET /payment-operators', '/payment-operators'],
  ] as const
  const problems: string[] = []
  for (const [route, path] of lists) {
    const minted = await mint(session, { operations: [route] })
    const why =
      'token' in minted
        ? draft.endpoint(route, await asker.ask(get(path, minted.token)))
        : draft.endpoint(route, minted.reply, 'a token for it: ')
    if (why !== undefined) problems.push(`${route}: ${why}`)
  }
  let options: unknown
  if (payinsToken !== undefined) {
    const route = 'POST /payins/!availablePaymentOptions'
    const reply = await asker.ask(post('/payins/!availablePaymentOptions', payinsToken, { money }))
    const why = draft.endpoint(route, reply)
    if (why !== undefined) problems.push(`${route}: ${why}`)
    if (isSuccess(reply)) options = jsonOf(reply.body)
    draft.refusal('path-unknown', await asker.ask(get('/payins/learn/no-such-path', payinsToken)))
  }
  if (problems.length === 0) yield ok('account', 'merchant information, balances, lists and options are seen')
  else yield warn('account', problems.join('; '), 'Ask the platform to allow what you need of it.')
  return options
}

/** Whether operations are matched with paths as they are sent, or as they read. */
export async function learnIdsInOperations(session: SignedSession, random: string): Promise<Finding> {
  const { asker, draft } = session
  const check = 'operations'
  const notAllowed = draft.known.refusals?.['token-not-allowed']
  const part = 'tokens.idsInOperations'
  if (notAllowed === undefined) return draft.unseen(check, part, 'a token for something else is not refused')
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
      draft.add({ tokens: { idsInOperations } })
      return ok(check, `ids stand ${idsInOperations} in them`)
    }
  }
  return draft.unseen(check, part, why)
}
