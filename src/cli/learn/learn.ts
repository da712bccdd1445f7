import { randomUUID } from 'node:crypto'
import { type Finding, ok, skip, warn } from '../doctor/finding.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import { clockAheadMs } from '../doctor/reach.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { spanOf } from '../text.js'
import { isRefusal, type Reply, whyNot } from './answer.js'
import { Asker, type Pace } from './asker.js'
import { CallbackCatcher } from './callback-catcher.js'
import { FollowedPayment } from './followed-payment.js'
import { Follower } from './follower.js'
import { learnAccount, learnIdsInOperations } from './learn-account.js'
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
import type { Notebook } from './notebook.js'
import { type PaymentRequests, payinBody, payoutBody } from './payment-requests.js'
import { get, KeptToken, type Session, type SignedSession } from './session.js'
import { Stop } from './stop.js'

/** What is asked of whom. */
export interface LearnOptions {
  readonly env: Environment
  readonly baseUrl: URL
  readonly unit: TimestampUnit
  readonly kind: 'key' | 'secret'
  readonly requests: PaymentRequests
  /** Where callbacks are to be sent to, and the port of this machine that they arrive at; absent without callbacks. */
  readonly callbacks?: { readonly url?: string; readonly port: number }
  readonly customerAccountPath?: string
  /** Whether a payout is created although the payin didn't say that it is a test. */
  readonly assumesTest?: boolean
  /** For the end of payments, and for callbacks that come again. */
  readonly waitMs: number
  readonly pace: Pace
}

/**
 * Asks a gateway all that a profile has room for, and writes it into the notebook: a step for each finding.
 *
 * @throws {Stop} when it makes no sense to go on; what was learnt stands in the notebook.
 */
export async function* learn(
  options: LearnOptions,
  notebook: Notebook,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { env, baseUrl, unit, kind, pace } = options
  const asker = new Asker(baseUrl, pace, signal)
  asker.onLimited = (answer) => {
    notebook.refused('rate-exceeded', answer)
    notebook.add({ rate: { retryAfter: answer.retryAfter } })
    notebook.notSeen(
      'rate.counted',
      'requests were refused for the rate that came one after the other: others spend the same budget',
    )
  }
  // A short code may be a part of any name.
  const { GATEWAY_MERCHANT_CODE = '' } = env
  if (GATEWAY_MERCHANT_CODE.length >= 6) notebook.hideTexts(GATEWAY_MERCHANT_CODE)
  // From the first answer on: the gateway may know this customer.
  notebook.hideRequest(payinBody(options.requests, undefined))
  notebook.hideRequest(payoutBody(options.requests))
  const session = { env, asker, notebook }
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
async function* learnConnection({ asker, notebook }: Session): AsyncGenerator<Finding, number> {
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
  notebook.refusal('token-missing', reply, 'it was answered without a token')
  const { dateMs, tookMs } = reply
  const says = `answered ${reply.status} in ${spanOf(tookMs)}`
  yield isRefusal(reply)
    ? ok('connection', says)
    : warn(
        'connection',
        `${says}, to a request without a token`,
        'Check that GATEWAY_BASE_URL names the gateway.',
      )
  return dateMs === undefined ? 0 : clockAheadMs(dateMs, tookMs)
}

async function* learnPayments(
  options: LearnOptions,
  session: SignedSession,
  catcher: CallbackCatcher,
): AsyncGenerator<Finding> {
  const { asker, notebook } = session
  const { requests, pace, waitMs } = options
  const newId = () => {
    const id = `learn-${randomUUID()}`
    notebook.hideTexts(id)
    return id
  }
  const urlFor = await callbackUrls(options, notebook, catcher)
  const payins = await familyToken(session, 'payin')
  const payouts = await familyToken(session, 'payout')
  const offered = yield* learnAccount(session, await payins?.text(), requests)
  yield await learnIdsInOperations(session, randomUUID().slice(0, 8))
  const followed: FollowedPayment[] = []
  const follower = new Follower(asker, pace, followed)
  // A callback may come before the create is answered.
  catcher.statusOf = (kind) => follower.statusOf(kind)
  const payin = payins && new FollowedPayment(session, 'payin', newId(), payins)
  if (payins !== undefined && payin !== undefined) {
    const body = payinBody(requests, offered, urlFor?.('payin'))
    notebook.hideRequest(body)
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
  const paysOut = payin?.isTest === true || options.assumesTest === true
  if (payouts !== undefined && !paysOut) yield noPayout(notebook)
  else if (payouts !== undefined) {
    const payout = new FollowedPayment(session, 'payout', newId(), payouts)
    const refused = await createPayment(session, payout, payouts, payoutBody(requests, urlFor?.('payout')))
    if (refused !== undefined) yield refused
    else followed.push(payout)
  }
  const tookSecs = await follower.run(waitMs)
  for (const payment of followed) yield payment.finding(tookSecs)
  if (payins !== undefined && payin?.wasFound === true) {
    yield await learnCustomerAccount(session, payin, payins, options.customerAccountPath)
  }
  yield await learnRate(session)
  if (urlFor === undefined)
    yield skip('callbacks', 'not seen: no address was given that the gateway can reach')
  else yield await learnCallbacks(session, catcher, followed, pace, Math.min(waitMs, 30_000))
}

/** What a payout would have told, where nothing says that its money is none. */
function noPayout(notebook: Notebook): Finding {
  const why = 'it was not created, since no payin said that it is a test (isTest: true)'
  notebook.paymentNotSeen('payout', why)
  return warn('payout', why, 'Where you know that the gateway is a test gateway, give --assume-test.')
}

/** A token for payments of one kind, or why there is none. */
async function familyToken(session: SignedSession, kind: 'payin' | 'payout'): Promise<KeptToken | undefined> {
  const { notebook } = session
  const path = `/${kind}s/.*`
  const kept = await KeptToken.get(session, { operations: [`POST ${path}`, `GET ${path}`] })
  if (kept instanceof KeptToken) return kept
  const why = `a token for ${kind}s: ${whyNot(kept)}`
  notebook.paymentNotSeen(kind, why)
  notebook.notSeen(`refusals.${kind}-unknown`, why)
  if (kind === 'payin') {
    for (const part of ['body-not-json', 'money-missing', 'amount-wrong', 'id-repeated', 'path-unknown']) {
      notebook.notSeen(`refusals.${part}`, why)
    }
    notebook.answerNotSeen('POST /payins/!availablePaymentOptions', why)
    notebook.notSeen('customerAccountPath', why)
  }
  return undefined
}

/** Addresses for the callbacks of each payment; undefined where the gateway can reach none. */
async function callbackUrls(
  { callbacks }: LearnOptions,
  notebook: Notebook,
  catcher: CallbackCatcher,
): Promise<((kind: 'payin' | 'payout') => string) | undefined> {
  if (callbacks === undefined) {
    notebook.notSeen('callbacks', 'no address was given that the gateway can reach')
    return undefined
  }
  const { url, port } = callbacks
  const local = await catcher.listen(port).catch(() => {
    throw new CommandFailed(`port ${port} can't be used for callbacks; give another --callback-port.`)
  })
  notebook.hideTexts(catcher.secret)
  return (kind) => catcher.urlFor(kind, url ?? local)
}
