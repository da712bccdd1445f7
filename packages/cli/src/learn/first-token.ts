import { type Answer, isRefusal, isSuccess, type Question, type Reply, whyNot } from '../answer.js'
import { timeStyles } from '../doctor/examine.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import { exitCodes } from '../exit-codes.js'
import { Stop } from './asker.js'
import { type TokenCandidate, tokenCandidates } from './find-token.js'
import { get, type Session } from './session.js'
import { type Grant, type TokenStyle, tokenRequest } from './token-request.js'

/** The client's own, and shorter ones for a gateway that caps it. */
const validities = [900, 300, 60]

export const smallest: Grant = { operations: ['GET /merchant-info'] }

/** A token request that was accepted, and what its answer holds. */
export interface Accepted {
  readonly style: TokenStyle
  readonly request: Question
  readonly answer: Answer
  readonly candidates: readonly TokenCandidate[]
  /** What a token of the usual life was refused with, where only a shorter one was taken. */
  readonly refusedLonger?: Answer
}

/** Tries the ways to write a token request until one is accepted. */
export async function firstToken(
  { env, asker, draft }: Session,
  { unit, kind, aheadMs }: { unit: TimestampUnit; kind: 'key' | 'secret'; aheadMs: number },
): Promise<Accepted> {
  const times = timeStyles(kind, aheadMs, unit)
  const styles = validities.flatMap((validitySecs) =>
    times.map(({ unit, byGatewaysClock }) => ({
      unit,
      validitySecs,
      aheadMs: byGatewaysClock ? aheadMs : 0,
    })),
  )
  const refusals = new Map<TokenStyle, Answer>()
  let first: Reply | undefined
  for (const style of styles) {
    const request = await tokenRequest(env, style, smallest)
    draft.hideTexts(
      ...Object.values(request.headers ?? {}).flatMap((text) =>
        text !== undefined && text.length > 100 ? [text] : [],
      ),
    )
    let reply = await asker.ask(request)
    // The asker gives up when this goes on.
    for (let time = 0; time < 2 && !isSuccess(reply) && !isRefusal(reply); time++)
      reply = await asker.ask(request)
    first ??= reply
    if (isRefusal(reply)) refusals.set(style, reply)
    if (!isSuccess(reply)) continue
    draft.hideTokens(reply)
    const candidates = tokenCandidates(reply.body)
    if (candidates.length === 0) {
      throw new Stop(
        `the answer to a token request (${reply.status}, ${reply.contentType ?? 'without a content type'}) holds nothing that can be a token`,
        exitCodes.refused,
      )
    }
    const longer = [...refusals].find(
      ([one]) =>
        one.validitySecs > style.validitySecs && one.unit === style.unit && one.aheadMs === style.aheadMs,
    )
    return {
      style,
      request,
      answer: reply,
      candidates,
      ...(longer === undefined ? {} : { refusedLonger: longer[1] }),
    }
  }
  const why = first === undefined ? 'it was not asked' : whyNot(first)
  throw new Stop(
    `no token request was accepted, in seconds as in milliseconds, for ${validities.join(', ')} s; of the first one, ${why}: "merchant-gateway doctor" says more`,
    exitCodes.refused,
  )
}

/** Of several texts that may be the token, the one that opens something. */
export async function workingToken(
  { asker, draft }: Session,
  { candidates }: Accepted,
): Promise<TokenCandidate> {
  const tried: { candidate: TokenCandidate; reply: Reply }[] = []
  for (const candidate of candidates) {
    const reply = await asker.ask(get('/merchant-info', candidate.token))
    if (isSuccess(reply)) {
      draft.answered('GET /merchant-info', reply)
      return candidate
    }
    tried.push({ candidate, reply })
  }
  draft.answerNotSeen('GET /merchant-info', tried[0] === undefined ? '' : whyNot(tried[0].reply))
  // Some are known to the gateway as tokens and not allowed to do this.
  const known = tried.find(({ reply }) => reply.kind === 'answered' && reply.status === 403) ?? tried[0]
  if (known !== undefined) return known.candidate
  throw new Stop('no token came', exitCodes.refused)
}
