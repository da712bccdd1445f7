import {
  AuthenticationError,
  type ErrorDetails,
  type GatewayError,
  type GatewayErrorDetails,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnusableResponseError,
} from '../errors.js'
import { parseJson } from '../input/json.js'
import { own } from '../input/own.js'
import { redaction } from '../redact/load.js'
import type { Hide } from '../redact/mask.js'
import type { Credential, FailureContext, TransportResponse } from './failure.js'
import { clockAheadMs } from './retry-policy.js'

/** Puts what happened, and what to do, into the one sentence of an error. */
export type Say = (what: string, advice?: string) => string

/** What the error of a call knows, whatever became of it. */
export type CallErrorDetails = GatewayErrorDetails & { readonly retryAfterMs: number | undefined }

/** The error of an answer whose status is no success. */
export function statusError(
  response: TransportResponse,
  say: Say,
  base: CallErrorDetails,
  context: FailureContext,
  hide: Hide,
): GatewayError {
  const { status } = response
  const details = { ...base, ...answerDetails(response, context, hide, base) }
  const quoted = details.gatewayMessage === undefined ? '' : ` ("${details.gatewayMessage}")`
  if (status < 400) {
    return new UnusableResponseError(
      say(
        `the gateway answered ${status}${pointsTo(response, hide)}, and redirects are not followed`,
        'check baseUrl',
      ),
      { ...details, issues: [`status: ${status}`] },
    )
  }
  if (status === 401) {
    const date = response.headers.get('date')
    // Only a signature holds the time, so only there seconds matter.
    const ahead = clockAheadMs(date, context.nowMs, context.credential === 'signature' ? undefined : 60_000)
    return new AuthenticationError(
      say(`not authenticated (401)${quoted}`, unauthenticated(context.credential, ahead, date !== undefined)),
      { ...details, clockAheadMs: ahead },
    )
  }
  if (status === 403) {
    const [what, advice] =
      context.credential === undefined
        ? [
            'the token does not allow this operation',
            'check what the merchant account is allowed, and the operations if you set them: a gateway may match them with decoded paths',
          ]
        : ['the gateway gives this merchant no such token', 'ask the platform what the merchant is allowed']
    return new PermissionError(say(`${what} (403)${quoted}`, advice), {
      ...details,
      operation: context.route,
    })
  }
  if (status === 404) {
    return new NotFoundError(
      say(
        `not found (404)${quoted}`,
        'the gateway also says this of an API version or a path that it does not know, so check baseUrl if every call gets it',
      ),
      details,
    )
  }
  if (status === 429) {
    return new RateLimitError(
      say(
        `over the rate limit (429)${quoted}`,
        `another process may use up the same limit${inSeconds(base.retryAfterMs)}`,
      ),
      details,
    )
  }
  if (status >= 500) return new ServerError(say(`the gateway failed (${status})${quoted}`), details)
  return new InvalidRequestError(
    say(`the gateway refused the request (${status})${quoted}`, refusedAdvice(status, context)),
    details,
  )
}

/** Origin and path of where a redirect leads; nothing where that is long, or holds what nobody should read. */
function pointsTo({ headers }: TransportResponse, hide: Hide): string {
  const location = headers.get('location') ?? ''
  if (hide(location) !== location) return ''
  const isPath = /^\/(?!\/)/.test(location)
  const base = isPath ? 'https://path.invalid' : undefined
  if (!URL.canParse(location, base)) return ''
  const { protocol, origin, pathname } = new URL(location, base)
  if (!/^https?:$/.test(protocol)) return ''
  const where = isPath ? pathname : origin + pathname
  return where.length <= 200 && hide(where) === where ? ` and points to ${where}` : ''
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '' : `, and the gateway asks to wait for ${Math.ceil(ms / 1000)} s`
}

function wrongClock(aheadMs: number): string {
  return `this machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway's, set it right`
}

/** What to look at depends on what was shown: a signature, a secret, or a token that the gateway had made. */
function unauthenticated(
  credential: Credential | undefined,
  aheadMs: number | undefined,
  hasDate: boolean,
): string {
  if (credential === 'secret') return 'check merchantCode and merchantSecret'
  if (credential === 'signature') {
    const clock = hasDate ? '' : ", and this machine's clock, which the answer gave no date to compare with"
    const keys = `check merchantCode, the key and its public half at the platform, and timestampUnit${clock}`
    return aheadMs === undefined
      ? `${keys} (it was tried with two different signatures, so neither was refused as a replay)`
      : `${wrongClock(aheadMs)} (a second request by the gateway's clock was refused as well, so also ${keys})`
  }
  if (aheadMs !== undefined) return wrongClock(aheadMs)
  return 'a new token was refused like the one before, so ask the platform why it does not take the tokens that it makes'
}

function refusedAdvice(status: number, { credential }: FailureContext): string | undefined {
  if (credential === undefined || (status !== 400 && status !== 422)) return undefined
  return 'check merchantCode and tokenValiditySecs, since the gateway may grant no token for that long'
}

type AnswerDetails = Pick<ErrorDetails<ServerError>, 'status' | 'headers' | 'bodyStart' | 'gatewayMessage'>

/** What an error knows of the answer that it is about. */
export function answerDetails(
  { status, headers, body }: TransportResponse,
  { answerIsSecret = false }: FailureContext,
  hide: Hide,
  base: CallErrorDetails,
): AnswerDetails {
  const details = { status, headers: redaction().shownHeaders(headers, hide) }
  if (body === '' || (answerIsSecret && status < 400)) return details
  const json = parseJson(body)
  const { bodyStart, gatewayMessage } = redaction()
  const { idPayin, idPayout = idPayin } = own(base)
  if (json === undefined) {
    // What was to be a payment, and can't be read: its customer stands anywhere in it, and a look-up knows none.
    return status < 300 && !isPage(body)
      ? details
      : { ...details, bodyStart: bodyStart(body, hide, idPayout) }
  }
  const message = gatewayMessage(json, hide, idPayout)
  return message === undefined ? details : { ...details, gatewayMessage: message }
}

/** HTML, as what stands between here and the gateway answers. */
function isPage(body: string): boolean {
  return /^[\ufeff\s]*<(?:!doctype html|html|head|body)\b/i.test(body)
}
