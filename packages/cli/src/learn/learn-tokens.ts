import { shownName } from '../../../../src/profile/shapes/names.js'
import { isRefusal, isSuccess, type Question, whyNot } from '../answer.js'
import { type Finding, ok, skip, warn } from '../doctor/finding.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import { spanOf } from '../text.js'
import { claimsOf } from './find-token.js'
import { type Accepted, firstToken, smallest, workingToken } from './first-token.js'
import { bearer, get, type Session, type SignedSession } from './session.js'
import { tokenRequest, withOtherCharacter, withWrongSignature } from './token-request.js'

/** The longest that is asked for: nobody could take a token back. */
const daySecs = 86_400

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
  yield await longestValidity(signed, accepted)
  yield await repeated(session, request, wanted.kind)
  await wrongSignature(session, request)
  await wrongTokens(session, found.token)
  return signed
}

/** What a token is refused with that would be good for too long, and the longest that is known to be taken. */
async function longestValidity(
  { env, asker, draft }: Session,
  { style, refusedLonger }: Accepted,
): Promise<Finding> {
  const check = 'validity'
  const reply =
    refusedLonger ?? (await asker.ask(await tokenRequest(env, { ...style, validitySecs: daySecs }, smallest)))
  draft.hideTokens(reply)
  if (!isRefusal(reply) && !isSuccess(reply)) {
    return draft.unseen(check, 'refusals.validity-too-long', whyNot(reply))
  }
  // Written down so that a shorter one of another day is a change.
  const longestValiditySecs = isSuccess(reply) ? daySecs : style.validitySecs
  draft.add({ tokens: { longestValiditySecs } })
  if (isRefusal(reply)) {
    draft.refused('validity-too-long', reply)
    return ok(check, `${spanOf(longestValiditySecs * 1000)} is taken, longer is refused (${reply.status})`)
  }
  draft.notSeen(
    'refusals.validity-too-long',
    'a token of a day was taken, and a longer one was not asked for, since nobody could take it back',
  )
  return ok(check, 'a token of a day is taken')
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
