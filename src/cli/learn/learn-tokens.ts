import { shownName } from '../../profile/shapes/names.js'
import { isRefusal, isSuccess, type Question, whyNot } from '../answer.js'
import { type Finding, ok, skip, warn } from '../doctor/finding.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import { spanOf } from '../text.js'
import { claimsOf } from './find-token.js'
import { type Accepted, firstToken, smallest, usualSecs, workingToken } from './first-token.js'
import { bearer, get, type Session, type SignedSession } from './session.js'
import { tokenRequest, withOtherCharacter, withWrongSignature } from './token-request.js'

/** What gateways are likely to grant at most. A day is the longest that is asked for: nobody could take a token back. */
const validities = [60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400]

/** Finds how a token is asked for and where it stands, and what is refused. */
export async function* learnTokens(
  session: Session,
  wanted: { readonly unit: TimestampUnit; readonly kind: 'key' | 'secret'; readonly aheadMs: number },
): AsyncGenerator<Finding, SignedSession> {
  const accepted = await firstToken(session, wanted)
  const { style, request, answer } = accepted
  const { draft } = session
  const found = await workingToken(session, accepted)
  const { format, field } = found
  const place = { format, ...(field === undefined ? {} : { field }) }
  const signed = { ...session, style, place }
  const claims = claimsOf(found.token)
  const names =
    claims === undefined
      ? undefined
      : Object.keys(claims).map((name) => shownName(name, (text) => draft.hide(text)))
  draft.answered('POST /auth-tokens', answer)
  draft.add({
    tokens: {
      ...place,
      ...(names === undefined ? {} : { claims: [...new Set(names)].sort() }),
      statesItsEnd: typeof Reflect.get(claims ?? {}, 'exp') === 'number',
      ...(wanted.kind === 'key' ? { timestampUnit: style.unit } : {}),
    },
  })
  if (wanted.kind === 'secret')
    draft.notSeen('tokens.timestampUnit', 'the merchant secret is sent without a timestamp')
  const where = field === undefined ? (format === 'text' ? 'a text' : 'a bare string') : `field ${field}`
  const kind = claims === undefined ? 'no JWT' : 'a JWT'
  const message = `${where}, ${kind}${wanted.kind === 'key' ? `, timestamp in ${style.unit}` : ''}`
  yield style.aheadMs === 0
    ? ok('token', message)
    : warn(
        'token',
        `${message}, by the gateway's clock only`,
        "Set this machine's clock: signatures carry the time.",
      )
  const { finding, takenSecs } = await longestValidity(signed, accepted)
  yield finding
  yield await repeated(session, request, wanted.kind)
  await wrongSignature(session, request)
  await wrongTokens(session, found.token)
  return { ...signed, style: { ...style, validitySecs: Math.min(takenSecs, usualSecs) } }
}

/** Looks for the longest validity that is taken, where a longer one is refused. */
async function longestValidity(
  session: SignedSession,
  accepted: Accepted,
): Promise<{ readonly finding: Finding; readonly takenSecs: number }> {
  const { env, asker, draft } = session
  const ask = async (validitySecs: number) => {
    const reply = await asker.ask(await tokenRequest(env, { ...session.style, validitySecs }, smallest))
    draft.hideTokens(reply)
    return reply
  }
  const most = validities.at(-1) ?? usualSecs
  const refused = accepted.refusedLonger ?? (await ask(most))
  if (!isRefusal(refused)) {
    const why = isSuccess(refused)
      ? 'a token of a day was taken, and a longer one was not asked for, since nobody could take it back'
      : whyNot(refused)
    const unseen = draft.unseen('validity', 'refusals.validity-too-long', why)
    // So that a shorter one of another day is a change.
    if (isSuccess(refused)) draft.add({ tokens: { longestValiditySecs: most } })
    const finding = isSuccess(refused) ? ok('validity', 'a token of a day is taken') : unseen
    return { finding, takenSecs: accepted.style.validitySecs }
  }
  draft.refused('validity-too-long', refused)
  let taken = accepted.style.validitySecs
  let above = accepted.refusedLonger === undefined ? most : usualSecs
  for (;;) {
    const between = validities.filter((secs) => secs > taken && secs < above)
    const secs = between[Math.floor(between.length / 2)]
    if (secs === undefined) break
    const reply = await ask(secs)
    if (isSuccess(reply)) taken = secs
    else if (isRefusal(reply)) above = secs
    else break
  }
  draft.add({ tokens: { longestValiditySecs: taken } })
  const message = `${spanOf(taken * 1000)} is taken, ${spanOf(above * 1000)} is refused (${refused.status})`
  return { finding: ok('validity', message), takenSecs: taken }
}

async function repeated(
  { asker, draft }: Session,
  request: Question,
  kind: 'key' | 'secret',
): Promise<Finding> {
  if (kind === 'secret') {
    draft.notSeen('tokens.repeatedRequest', 'the merchant secret makes no signature that could be used again')
    return skip('repetition', 'a request with the secret has no signature')
  }
  const reply = await asker.ask(request)
  draft.hideTokens(reply)
  if (isSuccess(reply) || isRefusal(reply)) {
    const repeatedRequest = isSuccess(reply) ? 'taken' : 'refused'
    draft.add({ tokens: { repeatedRequest } })
    return ok('repetition', `the same token request again is ${repeatedRequest}`)
  }
  return draft.unseen('repetition', 'tokens.repeatedRequest', whyNot(reply))
}

async function wrongSignature({ asker, draft }: Session, request: Question): Promise<void> {
  const wrong = withWrongSignature(request)
  if (wrong === undefined) {
    draft.notSeen(
      'refusals.signature-wrong',
      'the merchant secret has no signature, and a wrong secret was not tried',
    )
    return
  }
  draft.refusal('signature-wrong', await asker.ask(wrong))
}

async function wrongTokens({ asker, draft }: Session, token: string): Promise<void> {
  const wrong = withOtherCharacter(token)
  draft.hideTexts(wrong)
  const cases = [
    ['token-wrong', get('/merchant-info', wrong)],
    [
      'api-version-missing',
      { ...get('/merchant-info'), headers: { ...bearer(token), 'x-api-version': undefined } },
    ],
    ['token-not-allowed', get('/currencies', token)],
  ] as const
  for (const [which, question] of cases) draft.refusal(which, await asker.ask(question))
}
