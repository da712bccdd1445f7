import type { Payment } from '../../gateway/payments/payment.js'
import { isRecord } from '../../gateway/wire/json-body.js'
import { createControls } from './controls/controls.js'
import { profileSummary } from './controls/profile-summary.js'
import { asRefusal, PageRefusal } from './http/responses.js'
import { Mask } from './mask/mask.js'
import type { Info } from './messages/payments.js'
import type { PageParts } from './parts/parts.js'
import { listing } from './payments/listing.js'
import { historyOf } from './payments/payment-history.js'
import { callbackForm, settleOptions } from './payments/payment-orders.js'
import { liveUpdateOf } from './rate.js'
import { createRehearsals } from './rehearse/rehearse-api.js'
import { deliveries } from './requests/deliveries.js'
import { createRequestApi } from './requests/request-api.js'
import { limitOf, whole } from './requests/request-query.js'

/** A request of the page; where it comes from has been checked. */
export interface PageRequest {
  readonly method: string
  /** Below /_sandbox/api/. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** @throws PageRefusal */
export type PageApi = (request: PageRequest) => unknown

const MOST_KEPT = 100
const MOST_STATUS_LENGTH = 64

/** The endpoints of the page. */
export function createApi(parts: PageParts): PageApi {
  const { ledger, clock, settings } = parts
  const mask = new Mask([settings.merchantSecret])
  const requests = createRequestApi(parts, mask)
  const controls = createControls(parts, mask)
  const rehearsals = createRehearsals(parts)

  const payment = (kind = '', id = ''): Payment => {
    if (kind !== 'payin' && kind !== 'payout') throw new PageRefusal(404, 'There are payins and payouts.')
    const found = ledger.store(kind).find(decode(id))
    if (found === undefined) throw new PageRefusal(404, 'The sandbox holds no payment with this id.')
    return found
  }
  const info = (): Info => {
    const { merchantCode, basePath } = settings
    const magic = settings.magicAmounts.map(({ amount, operatorCode = null, meaning }) => {
      return { amount, operatorCode, meaning }
    })
    const profile = settings.profile === undefined ? null : profileSummary(settings.profile)
    return { merchantCode, basePath, clock: clock.mode, magic, profile }
  }
  const list = (query: URLSearchParams) =>
    listing(parts, {
      search: (query.get('search') ?? '').slice(0, 200),
      offset: whole(query.get('offset'), Number.MAX_SAFE_INTEGER),
      limit: limitOf(query),
      keep: keptRows(query.getAll('keep')),
    })
  const settle = (target: Payment, body: unknown) => {
    const status = isRecord(body) ? body.status : undefined
    if (typeof status !== 'string' || status === '' || status.length > MOST_STATUS_LENGTH) {
      throw new PageRefusal(400, `status must be a text of up to ${MOST_STATUS_LENGTH} characters.`)
    }
    target.change(status, 'page', settleOptions(body))
    return { status: target.status }
  }
  const callAgain = (target: Payment, body: unknown) => {
    if (target.callbackUrl === undefined) {
      throw new PageRefusal(
        409,
        'The payment has no callbackUrl, so no callback was sent: create one that has a callbackUrl.',
      )
    }
    asRefusal(() => target.sendCallbackFromPage(callbackForm(body)))
    return { sent: true }
  }
  return ({ method, path, query, body }) => {
    const answer = controls(method, path, body) ?? rehearsals(method, path, body)
    if (answer !== undefined) return answer
    const [first, second, third, fourth, ...more] = path.split('/')
    if (more.length > 0) throw nowhere()
    switch (`${method} ${[first, third && '*', fourth].filter(Boolean).join('/')}`) {
      case 'GET info':
        return info()
      case 'GET news':
        return liveUpdateOf(parts)
      case 'GET payments':
        return list(query)
      case 'GET payments/*':
        return historyOf(payment(second, third), parts, mask)
      case 'GET deliveries':
        return deliveries(parts.callbacks.log, query, mask)
      case 'GET requests':
        return second === undefined ? requests.list(query) : requests.find(second)
      case 'POST payments/*/settle':
        return settle(payment(second, third), body)
      case 'POST payments/*/callback':
        return callAgain(payment(second, third), body)
      default:
        throw nowhere()
    }
  }
}

function nowhere(): PageRefusal {
  return new PageRefusal(
    404,
    'The page has nothing under this method and address, so nothing was done: "merchant-gateway-sandbox control --help" lists what can be asked of it.',
  )
}

/** Rows that have to stay, each as its place, a colon, and its key. */
function keptRows(texts: readonly string[]): (readonly [number, string])[] {
  return texts.slice(0, MOST_KEPT).map((text) => {
    const colon = text.indexOf(':')
    return [whole(text.slice(0, colon), Number.MAX_SAFE_INTEGER), text.slice(colon + 1)]
  })
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new PageRefusal(400, 'The id is not percent-encoded.')
  }
}
