import type { AnswerProfile, GatewayProfile } from '../../../../../src/client/profile/gateway-profile.js'
import type { GatewayResponse } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import { fill } from './fill-shape.js'
import { invalidInput, refusalCase } from './refusal-case.js'

/**
 * A response as the gateway of a profile gives it: status, content type, and of a refusal the body. What faults and
 * tests have made up stays as it is, and so does what the profile doesn't know.
 */
export function playResponse(
  response: GatewayResponse,
  target: Target,
  profile: GatewayProfile | undefined,
): GatewayResponse {
  if (profile === undefined || response.isPlayed === true) return response
  const { refusal, verdict } = response
  if (refusal !== undefined) return playedRefusal(response, refusal, target, profile)
  const answer = verdict === 'OK' ? answerOf(profile, target.name) : undefined
  if (answer === undefined) return response
  return {
    ...response,
    status: answer.status,
    headers: { ...response.headers, ...contentType(answer) },
    isPlayed: true,
  }
}

/** What a profile knows of the answer to a request that succeeds. */
export function answerOf(profile: GatewayProfile, name: RouteName | undefined): AnswerProfile | undefined {
  const { answers = {}, customerAccountPath = '' } = profile
  const key = name?.endsWith('/customer-account') === true ? `GET ${customerAccountPath}` : name
  return key !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined
}

function playedRefusal(
  response: GatewayResponse,
  refusal: NonNullable<GatewayResponse['refusal']>,
  target: Target,
  { refusals = {} }: GatewayProfile,
): GatewayResponse {
  const which = refusalCase(refusal, target.name?.includes('{idPayout}') === true)
  const seen = which === undefined ? undefined : refusals[which]
  const nearest = invalidInput.map((one) => refusals[one]).find((one) => one !== undefined)
  const answer = seen ?? (response.status === 400 ? nearest : undefined)
  if (answer === undefined) return response
  const played = { ...response, status: answer.status, isPlayed: true }
  // Where an option says what the body is, only the status is the profile's.
  if (answer.body === 'any') return { ...played, isPlayed: false }
  return {
    ...played,
    body: refusalBody(answer, refusal),
    headers: { ...response.headers, ...contentType(answer) },
  }
}

function refusalBody({ status, body }: AnswerProfile, refusal: { code: string; message: string }): unknown {
  const { code, message } = refusal
  if (body === undefined) return ''
  if (body === 'text') return message
  const titles = { title: code, error: code, errorCode: code, type: 'about:blank' }
  const texts = { detail: message, description: message, reason: message }
  const filled = fill(body, { code, message, status, ...titles, ...texts })
  return typeof filled === 'string' ? JSON.stringify(filled) : filled
}

/** None where the gateway names none, which the header's empty text stands for. */
function contentType({ contentType: type = '', body }: AnswerProfile): Record<string, string> {
  return {
    'content-type': body === undefined ? '' : type.replace(/^application\/json$/, '$&; charset=utf-8'),
  }
}
