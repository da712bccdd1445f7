import type { ErrorDetails, GatewayErrorDetails, ServerError } from '../errors.js'
import { jsonOf } from '../input/values.js'
import { bodyStart, gatewayMessage, type Hide, shownHeaders } from '../redact.js'
import type { Failed, ResponseHeaders, TransportResponse } from './failure.js'

export type RefusalDetails = Pick<
  ErrorDetails<ServerError>,
  'status' | 'headers' | 'body' | 'bodyStart' | 'gatewayMessage'
>

interface ReadRefusal {
  readonly details: RefusalDetails
  readonly said?: string | undefined
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
  const json = jsonOf(body)
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

export function pointsTo({ headers }: TransportResponse, hide: Hide): string {
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

function isPage(body: string, headers: ResponseHeaders): boolean {
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  return isHtml || /^[\ufeff\s]*<(?:!doctype html|html|head|body|title|center|h\d|p|div|pre)\b/i.test(body)
}
