import { randomUUID } from 'node:crypto'
import { isRefusal, type Reply, whyNot } from '../answer.js'
import { type Finding, ok, warn } from '../doctor/finding.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import { clockAheadMs } from '../doctor/reach.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { spanOf } from '../text.js'
import { judgeTokenLimits, tryTokenLimits } from '../token-limits.js'
import { Asker, type Pace, Stop } from './asker.js'
import { CallbackCatcher } from './callback-catcher.js'
import { FollowedPayment } from './followed-payment.js'
import { Follower } from './follower.js'
import { learnAccount, learnIdsInOperations } from './learn-account.js'
import { balanceReader, judgeBalances } from './learn-balances.js'
import { learnCallbacks } from './learn-callbacks.js'
import {
  askForUnknown,
  createPayment,
  findPayment,
  learnCustomerAccount,
  learnTokenByAction,
  repeatId,
  tryWrongPayins,
} from './learn-payment.js'
import { learnRate } from './learn-rate.js'
import { learnTokens } from './learn-tokens.js'
import { moneyOfBody, type PaymentRequests, payinBody, payoutBody } from './payment-requests.js'
import type { ProfileDraft } from './profile-draft.js'
import { get, type KeptToken, keptToken, mint, type Session, type SignedSession } from './session.js'

/** What is asked of whom. */
export interface LearnOptions {
  readonly env: Environment
  readonly baseUrl: URL
  readonly unit: TimestampUnit
  readonly kind: 'key' | 'secret'
  readonly requests: PaymentRequests
  /** Where callbacks are to be sent to, and the port of this machine that they arrive at; absent without callbacks. */
  readonly callbacks?: { readonly url?: string | undefined; readonly port: number } | undefined
  readonly customerAccountPath?: string | undefined
  /** Whether a payout is created although the payin didn't say that it is a test. */
  readonly assumesTest?: boolean | undefined
  /** For the end of payments, and for callbacks that come again. */
  readonly waitMs: number
  readonly pace: Pace
}

/**
 * Asks a gateway all that a profile has room for, and writes it into the draft: a step for each finding.
 *
 * @throws {Stop} when it makes no sense to go on; what was learnt stands in the draft.
 */
export async function* learn(
  options: LearnOptions,
  draft: ProfileDraft,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { env, baseUrl, unit, kind, pace } = options
  const asker = new Asker(baseUrl, pace, signal)
  asker.onLimited = (answer) => {
    draft.refused('rate-exceeded', answer)
    draft.add({ rate: { retryAfter: answer.retryAfter } })
    draft.notSeen(
      'rate.counted',
      'requests were refused for the rate that came one after the other: others spend the same budget',
    )
  }
  // A short code may be a part of any name.
  const { GATEWAY_MERCHANT_CODE = '' } = env
  if (GATEWAY_MERCHANT_CODE.length >= 6) draft.hideTexts(GATEWAY_MERCHANT_CODE)
  // From the first answer on: the gateway may know this customer.
  draft.hideRequest(payinBody(options.requests, undefined))
  draft.hideRequest(payoutBody(options.requests))
  const session = { env, asker, draft }
  const catcher = new CallbackCatcher()
  try {
    const aheadMs = yield* learnConnection(session)
    const signed = yield* learnTokens(session, { unit, kind, aheadMs })
    yield* learnPayments(options, signed, catcher)
  } finally {
    catcher.close()
    await asker.close()
  }
}

/** @returns by how much this machine's clock is ahead of the gateway's. */
async function* learnConnection({ asker, draft }: Session): AsyncGenerator<Finding, number> {
  let reply: Reply = await asker.ask(get('/merchant-info'))
  // Once more: a connection may be cut at any time.
  if (reply.kind === 'none') reply = await asker.ask(get('/merchant-info'))
  if (reply.kind === 'none') throw new Stop(whyNot(reply), exitCodes.unreachable)
  if (reply.status >= 300 && reply.status <= 399) {
    throw new Stop(
      `it redirects (${reply.status}): set GATEWAY_BASE_URL to where that leads`,
      exitCodes.refused,
    )
  }
  draft.refusal('token-missing', reply, 'it was answered without a token')
  const { dateMs, tookMs } = reply
  const message = `answered ${reply.status} in ${spanOf(tookMs)}`
  yield isRefusal(reply)
    ? ok('connection', message)
    : warn(
        'connection',
        `${message}, to a request without a token`,
        'Check that GATEWAY_BASE_URL names the gateway.',
      )
  return dateMs === undefined ? 0 : clockAheadMs(dateMs, tookMs)
}

async function* learnPayments(
  options: LearnOptions,
  session: SignedSession,
  catcher: CallbackCatcher,
): AsyncGenerator<Finding> {
  const { asker, draft } = session
  const { requests, pace, waitMs } = options
  const newId = () => {
    const id = `learn-${randomUUID()}`
    draft.hideTexts(id)
    return id
  }
  const urlFor = await callbackUrls(options, draft, catcher)
  const payins = await familyToken(session, 'payin')
  const payouts = await familyToken(session, 'payout')
  const offered = yield* learnAccount(session, await payins?.(), requests)
  yield await learnIdsInOperations(session, randomUUID().slice(0, 8))
  const followed: FollowedPayment[] = []
  const readBalance = await balanceReader(session, requests.money)
  const start = await readBalance(followed)
  const follower = new Follower(asker, pace, followed)
  // A callback may come before the create is answered.
  catcher.statusOf = (kind) => follower.statusOf(kind)
  const payin = payins && new FollowedPayment(session, 'payin', newId(), payins)
  if (payins !== undefined && payin !== undefined) {
    const body = payinBody(requests, offered, urlFor?.('payin'))
    draft.hideRequest(body)
    await askForUnknown(session, 'payin', newId(), payins)
    await tryWrongPayins(session, newId, payins, body)
    const refused = await createPayment(session, payin, payins, body)
    if (refused !== undefined) yield refused
    else {
      followed.push(payin)
      await repeatId(session, payin, payins, body)
      await findPayment(session, payin, pace)
      await learnTokenByAction(session, payin)
    }
  }
  if (payouts !== undefined) await askForUnknown(session, 'payout', newId(), payouts)
  const withPayin = await readBalance(followed)
  const paysOut = payin?.isTest === true || options.assumesTest === true
  if (payouts !== undefined && !paysOut) yield noPayout(draft)
  else if (payouts !== undefined) {
    const payout = new FollowedPayment(session, 'payout', newId(), payouts)
    const refused = await createPayment(session, payout, payouts, payoutBody(requests, urlFor?.('payout')))
    if (refused !== undefined) yield refused
    else followed.push(payout)
  }
  const withPayout = await readBalance(followed)
  const tookSecs = await follower.run(waitMs)
  for (const payment of followed) yield payment.finding(tookSecs)
  const end = await readBalance([])
  yield judgeBalances(draft, [start, withPayin, withPayout, end], followed, requests)
  // Not before these payments have come to an end without saying that they are none of a test.
  if (followed.some(({ kind }) => kind === 'payout')) yield await learnTokenLimits(session, newId, requests)
  if (payins !== undefined && payin?.wasFound === true) {
    yield await learnCustomerAccount(session, payin, payins, options.customerAccountPath)
  }
  yield await learnRate(session)
  if (urlFor === undefined) yield draft.unseen('callbacks', 'callbacks', noAddress)
  else yield await learnCallbacks(session, catcher, followed, pace, Math.min(waitMs, 30_000))
}

/** What a payout would have told, where nothing says that its money is none. */
function noPayout(draft: ProfileDraft): Finding {
  const why = 'it was not created, since no payin said that it is a test (isTest: true)'
  draft.paymentNotSeen('payout', why)
  for (const part of limitParts) draft.notSeen(part, why)
  return warn('payout', why, 'Where you know that the gateway is a test gateway, give --assume-test.')
}

const limitParts = ['tokens.moneyLimit', 'tokens.idLimit'] as const

/** Whether a token that is limited to one payout and its money makes no other one. */
async function learnTokenLimits(
  session: SignedSession,
  newId: () => string,
  requests: PaymentRequests,
): Promise<Finding> {
  const { draft, asker } = session
  const body = payoutBody(requests)
  const id = newId()
  const { why, ...limits } = await tryTokenLimits({
    id,
    money: moneyOfBody(body) ?? requests.money,
    body,
    refusedWith: draft.known.refusals?.['token-not-allowed']?.status,
    ask: (question) => asker.ask(question),
    async mint(money) {
      const minted = await mint(session, { operations: [`POST /payouts/${id}`], money })
      return 'token' in minted ? minted.token : { why: whyNot(minted.reply) }
    },
  })
  draft.add({ tokens: limits })
  if (why !== undefined) for (const part of limitParts) draft.notSeen(part, why)
  return judgeTokenLimits({ ...limits, ...(why === undefined ? {} : { why }) }, warn)
}

/** A token for payments of one kind, or why there is none. */
async function familyToken(session: SignedSession, kind: 'payin' | 'payout'): Promise<KeptToken | undefined> {
  const { draft } = session
  const path = `/${kind}s/.*`
  const kept = await keptToken(session, { operations: [`POST ${path}`, `GET ${path}`] })
  if (typeof kept === 'function') return kept
  const why = `a token for ${kind}s: ${whyNot(kept)}`
  draft.paymentNotSeen(kind, why)
  draft.notSeen(`refusals.${kind}-unknown`, why)
  if (kind === 'payin') {
    for (const part of ['body-not-json', 'money-missing', 'amount-wrong', 'id-repeated', 'path-unknown']) {
      draft.notSeen(`refusals.${part}`, why)
    }
    draft.answerNotSeen('POST /payins/!availablePaymentOptions', why)
    draft.notSeen('customerAccountPath', why)
  }
  return undefined
}

const noAddress = 'no address was given that the gateway can reach'

/** Addresses for the callbacks of each payment; undefined where the gateway can reach none. */
async function callbackUrls(
  { callbacks }: LearnOptions,
  draft: ProfileDraft,
  catcher: CallbackCatcher,
): Promise<((kind: 'payin' | 'payout') => string) | undefined> {
  if (callbacks === undefined) {
    draft.notSeen('callbacks', noAddress)
    return undefined
  }
  const { url, port } = callbacks
  const local = await catcher.listen(port).catch(() => {
    throw new CommandFailed(`port ${port} can't be used for callbacks; give another --callback-port.`)
  })
  draft.hideTexts(catcher.secret)
  return (kind) => catcher.urlFor(kind, url ?? local)
}
