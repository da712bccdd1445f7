import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import type { PaymentKind } from '../../../../src/index.js'
import { type Answer, isRefusal, isSuccess, type Reply, whyNot } from '../answer.js'
import { type Finding, fail, ok } from '../doctor/finding.js'
import { countOf } from '../text.js'
import type { Pace } from './asker.js'
import type { FollowedPayment } from './followed-payment.js'
import { paymentRoute } from './gaps.js'
import { wrongBodies } from './payment-requests.js'
import { get, type KeptToken, mint, post, type SignedSession } from './session.js'

/** What is refused of payments, before one is made. */
export async function askForUnknown(
  { asker, draft }: SignedSession,
  kind: PaymentKind,
  id: string,
  token: KeptToken,
): Promise<void> {
  draft.refusal(`${kind}-unknown`, await asker.ask(get(`/${kind}s/${id}`, await token())))
}

/** Payins that can't be: of payouts nothing wrong is tried. */
export async function tryWrongPayins(
  { asker, draft }: SignedSession,
  newId: () => string,
  token: KeptToken,
  body: object,
): Promise<void> {
  const wrong = { 'body-not-json': '{', ...wrongBodies(body) }
  for (const which of ['body-not-json', 'money-missing', 'amount-wrong'] as const) {
    const reply = await asker.ask(post(`/payins/${newId()}`, await token(), wrong[which]))
    draft.refusal(which, reply, 'it was taken')
  }
}

/**
 * Creates a payment. Without a useful answer it is asked again by the same id, which can't make a second one.
 *
 * @returns undefined where the gateway has it now, and otherwise why it can't be followed.
 */
export async function createPayment(
  session: SignedSession,
  payment: FollowedPayment,
  token: KeptToken,
  body: object,
): Promise<Finding | undefined> {
  const { asker, draft } = session
  const { kind, path } = payment
  const route = paymentRoute('POST', kind)
  draft.hideRequest(body)
  let reply = await asker.ask(post(path, await token(), body))
  // After one that may have been taken, a refusal of the next one proves nothing.
  const wasRefused = isRefusal(reply)
  for (let time = 0; time < 2 && !isSuccess(reply) && !isRefusal(reply); time++) {
    reply = await asker.ask(post(path, await token(), body))
  }
  const exists = reply.kind === 'answered' && reply.status === 409
  const unseen = draft.endpoint(route, reply)
  if (isSuccess(reply)) payment.hear(reply)
  if (unseen === undefined) return undefined
  if (exists) return undefined
  const why = `${wasRefused ? `the ${kind} was not taken` : `it is not known whether the ${kind} was taken`}: ${unseen}`
  draft.paymentNotSeen(kind, why)
  return fail(kind, why, `Give --${kind} FILE with a request that this gateway takes.`)
}

/** Its first look-up, and a few more where it is not found: a new payment may not be visible yet. */
export async function findPayment(
  { asker }: SignedSession,
  payment: FollowedPayment,
  { pollMs }: Pace,
): Promise<void> {
  for (let looks = 0; looks < 3 && !payment.wasFound; looks++) {
    if (looks > 0) await asker.wait(pollMs)
    await payment.lookUp()
  }
}

/** The same id once more; only of a payin, though a payout would not be made twice either. */
export async function repeatId(
  { asker, draft }: SignedSession,
  payin: FollowedPayment,
  token: KeptToken,
  body: object,
): Promise<void> {
  const reply = await asker.ask(post(payin.path, await token(), body))
  draft.refusal('id-repeated', reply, 'it was taken again')
}

const accountPaths = ['customer-account', 'customer-account-data', 'customerAccount', 'account', 'customer']

/** Looks for customer account data, whose path the specification doesn't show. */
export async function learnCustomerAccount(
  session: SignedSession,
  payin: FollowedPayment,
  token: KeptToken,
  knownPath: string | undefined,
): Promise<Finding> {
  const { asker, draft } = session
  const templates =
    knownPath === undefined ? accountPaths.map((name) => `/payins/{idPayin}/${name}`) : [knownPath]
  let last: Reply | undefined
  for (const template of templates) {
    const path = template.replace('{idPayin}', payin.id)
    let bearerToken = await token()
    if (!path.startsWith('/payins/')) {
      const minted = await mint(session, { operations: [`GET ${path}`] })
      if (!('token' in minted)) continue
      bearerToken = minted.token
    }
    last = await asker.ask(get(path, bearerToken))
    if (!isSuccess(last) || !isData(last)) continue
    draft.add({ customerAccountPath: template })
    draft.answered(`GET ${template}`, last)
    return ok('customer data', `at ${template}`)
  }
  const why =
    knownPath === undefined
      ? `none of ${countOf(templates.length, 'usual path')} was answered; --customer-account-path names another`
      : last === undefined
        ? 'there was no token for it'
        : whyNot(last)
  return draft.unseen('customer data', 'customerAccountPath', why)
}

function isData({ body }: Answer): boolean {
  return isObject(jsonOf(body))
}

/** A token by action, and what it looks like. */
export async function learnTokenByAction(session: SignedSession, payin: FollowedPayment): Promise<void> {
  const { draft } = session
  const minted = await mint(session, { action: 'PAYIN_INFO', idPayment: payin.id })
  if ('token' in minted) draft.answered('POST /auth-tokens-by-action', minted.answer)
  else draft.answerNotSeen('POST /auth-tokens-by-action', whyNot(minted.reply))
}
