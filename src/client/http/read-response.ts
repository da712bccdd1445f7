import { own } from '../input/own.js'
import type { Observer } from '../observe/observer.js'
import { inspectShape, isUsable } from '../schemas/shape.js'
import type { Attempts } from './attempts.js'
import type { Call } from './call.js'
import type { Failure, Shown, TransportResponse } from './failure.js'
import { isOvergrown, parseJson } from './parse-json.js'
import type { GatewayRequest, GatewayResponse, Identity } from './request.js'
import { rememberResponse } from './response-info.js'

/** What an answer that was read to its end comes to: a usable one, or a failure. */
export function readResponse<T>(
  observer: Observer,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
  response: TransportResponse,
): GatewayResponse<T> | Failure {
  const { status, headers, body } = response
  const usable = (value: T | undefined) => {
    if (typeof value === 'object' && value !== null) rememberResponse(value, response, call, attempts)
    return { status, value, headers, attempts: attempts.count }
  }
  if (status === request.alsoAnswer) return usable(undefined)
  if (status < 200 || status > 299) return { kind: 'response', response: excerpt(response) }
  if (body === '' && request.allowEmpty === true) return usable(undefined)
  const json = parseJson(body)
  const value = json === undefined ? request.readText?.(body) : json
  if (value === undefined) return unusable(response, [notJson(response)], 'nothing')
  const report = inspectShape(request.shape, value)
  if (!isUsable(request.shape, value, report)) {
    return unusable(response, report?.unusable ?? [], request.identify?.(value).shows)
  }
  const { shows, issue, lacks } = own<Partial<Identity>>(request.identify?.(value) ?? {})
  const drift = [...(report?.drift ?? []), ...(lacks === undefined ? [] : [lacks])]
  if (drift.length > 0) observer.drift(request.routeTemplate ?? request.route, drift)
  return issue === undefined ? usable(value) : unusable(response, [issue], shows)
}

function unusable(response: TransportResponse, issues: readonly string[], shows: Shown = 'nothing'): Failure {
  response.discard?.()
  return { kind: 'unusable', response: excerpt(response), issues, shows }
}

/** The fetch that was handed in may decode; undici doesn't. */
function notJson({ headers, body }: TransportResponse): string {
  if (isOvergrown(body)) return 'body: nested too deeply, or of too many parts'
  const encoded = (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
  return encoded
    ? 'body: expected JSON, and came encoded (content-encoding) although identity was asked for'
    : 'body: expected JSON'
}

/** What an error shows of a body is at its start, and it is parsed again for it. */
const longestExcerpt = 65_536

function excerpt(response: TransportResponse): TransportResponse {
  return response.body.length <= longestExcerpt
    ? response
    : { ...response, body: response.body.slice(0, longestExcerpt) }
}
