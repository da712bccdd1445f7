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
import { bodyStart, gatewayMessage, type Hide, shownHeaders } from '../redact.js'
import type { Failed, ResponseHeaders, TransportResponse } from './failure.js'
import { refuses } from './outcome.js'
import { clockAheadMs } from './retry-policy.js'

/** Puts what happened, and what to do, into the one sentence of an error. */
export type Say = (what: string, advice?: string) => string

/** What the error of a call knows, whatever became of it. */
export type CallErrorDetails = GatewayErrorDetails & { readonly retryAfterMs: number | undefined }

/** The error of a response whose status is no success. */
export function statusError(
  response: TransportResponse,
  say: Say,
  base: CallErrorDetails,
  failed: Failed,
  hide: Hide,
): GatewayError {
  const { status, headers } = response
  const { details: shown, said, form } = readRefusal(response, failed, hide, base)
  const details = { ...base, ...shown }
  if (status < 400) {
    return new UnusableResponseError(
      say(
        `the gateway answered ${status}${pointsTo(response, hide)}, and redirects are not followed`,
        'check baseUrl',
      ),
      { ...details, issues: [`status: ${status}`] },
    )
  }
  const quoted = said === undefined ? '' : ` ("${said}")`
  const tell = (what: string, advice?: string) => {
    if (form === 'html') {
      const between = 'check baseUrl, and what stands between this machine and the gateway'
      return say(`a proxy or firewall answered (html), not the gateway (${status})${quoted}`, between)
    }
    const isForeign = form === 'text' ? ['the body is no JSON, so a proxy or firewall may have answered'] : []
    const advices = [...(advice === undefined ? [] : [advice]), ...isForeign]
    return say(`${what} (${status})${quoted}`, advices.length === 0 ? undefined : advices.join('; '))
  }
  if (status === 401) {
    const date = headers.get('date')
    // Only a signature holds the time, so only there seconds matter.
    const ahead = clockAheadMs(date, failed.nowMs, failed.credential === 'signature' ? undefined : 60_000)
    return new AuthenticationError(
      tell('not authenticated', unauthenticated(failed, ahead, date !== undefined)),
      { ...details, clockAheadMs: ahead },
    )
  }
  if (status === 403) {
    const [what, advice] =
      failed.credential === undefined
        ? [
            'the token does not allow this operation',
            'check what the merchant account is allowed, and the operations if you set them: a gateway may match them with decoded paths',
          ]
        : ['the gateway gives this merchant no such token', 'ask the platform what the merchant is allowed']
    return new PermissionError(tell(what, advice), { ...details, operation: failed.route })
  }
  if (status === 404) {
    const advice =
      'the gateway also says this of an API version or a path that it does not know, so check baseUrl if every call gets it'
    return new NotFoundError(tell('not found', advice), details)
  }
  if (status === 429) {
    const advice = `another process may use up the same limit${inSeconds(base.retryAfterMs)}`
    return new RateLimitError(tell('over the rate limit', advice), details)
  }
  if (!refuses(status)) {
    const what =
      status >= 500 ? 'the gateway failed' : 'the gateway did not say whether it processed the request'
    return new ServerError(tell(what), details)
  }
  return new InvalidRequestError(
    tell('the gateway refused the request', refusedAdvice(status, failed)),
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
  { credential, tokenRanOut = false }: Failed,
  aheadMs: number | undefined,
  hasDate: boolean,
): string {
  if (credential === 'secret') return 'check merchantCode and merchantSecret'
  if (credential === 'signature') {
    const clock = hasDate ? '' : ", and this machine's clock, which the response gave no date to compare with"
    const keys = `check merchantCode, the key and its public half at the platform, and timestampUnit${clock}`
    return aheadMs === undefined
      ? `${keys} (it was tried with two different signatures, so neither was refused as a replay)`
      : `${wrongClock(aheadMs)} (a second request by the gateway's clock was refused as well, so also ${keys})`
  }
  if (tokenRanOut) {
    return 'the token ran out on its way, so ask for a longer life (tokenValiditySecs), or see what slows this process down'
  }
  if (aheadMs !== undefined) return wrongClock(aheadMs)
  return 'a new token was refused like the one before, so ask the platform why it does not take the tokens that it makes'
}

function refusedAdvice(status: number, { credential, route }: Failed): string | undefined {
  if (status === 405 && route === 'GET /merchant-info') {
    return "the specification's text says GET and one of its samples POST (section 4, rule 3), so try client.request with POST, and ask the platform"
  }
  if (status === 407)
    return 'a proxy wants to know who asks, so give its credentials to the option dispatcher'
  if (credential === undefined || (status !== 400 && status !== 422)) return undefined
  return 'check merchantCode and tokenValiditySecs, since the gateway may grant no token for that long'
}

export type RefusalDetails = Pick<
  ErrorDetails<ServerError>,
  'status' | 'headers' | 'body' | 'bodyStart' | 'gatewayMessage'
>

/** What an error knows of the response that it is about. */
interface ReadRefusal {
  readonly details: RefusalDetails
  /** The reason that it gives, as far as it may be shown. */
  readonly said?: string | undefined
  /** Absent where there is no body, or none that may be looked at. */
  readonly form?: 'json' | 'html' | 'text'
}

export function readRefusal(
  { status, headers, body }: TransportResponse,
  { credential }: Pick<Failed, 'credential'>,
  hide: Hide,
  { idPayin, idPayout = idPayin }: GatewayErrorDetails,
): ReadRefusal {
  const known = { status, headers: shownHeaders(headers, hide) }
  if (body === '' || (credential !== undefined && status < 400)) return { details: known }
  const details = { ...known, body }
  const json = parseJson(body)
  if (json !== undefined) {
    // A success that can't be used may show another customer's payment: only a refusal has a reason to show.
    const said = status < 400 ? undefined : gatewayMessage(json, hide, idPayout)
    return {
      details: said === undefined ? details : { ...details, gatewayMessage: said },
      said,
      form: 'json',
    }
  }
  const form = isPage(body, headers) ? 'html' : 'text'
  // What was to be a payment, and can't be read: its customer stands anywhere in it, and a lookup knows none.
  if (status < 300 && form === 'text') return { details, form }
  const { start, said } = bodyStart(body, hide, idPayout)
  return { details: { ...details, bodyStart: start }, said: said === '' ? undefined : said, form }
}

/** HTML, as what stands between here and the gateway answers. */
function isPage(body: string, headers: ResponseHeaders): boolean {
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  return isHtml || /^[\ufeff\s]*<(?:!doctype html|html|head|body|title|center|h\d|p|div|pre)\b/i.test(body)
}
