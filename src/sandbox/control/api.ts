import type { Payment } from '../payments/payment.js'
import { isRecord } from '../wire/json-body.js'
import { listing } from './listing.js'
import { Mask } from './mask.js'
import type { Info } from './messages.js'
import { PageFaults } from './page-faults.js'
import type { PageParts } from './parts.js'
import { liveUpdateOf } from './rate.js'
import { PageRefusal } from './responses.js'
import { storyOf } from './story.js'

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

const MOST_ROWS = 200
const MOST_STATUS_LENGTH = 64

/** The endpoints of the page. */
export function createApi(parts: PageParts): PageApi {
  const { ledger, clock, faults, changes, settings } = parts
  const mask = new Mask([settings.merchantSecret])
  const pageFaults = new PageFaults(faults)

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
    return { merchantCode, basePath, clock: clock.mode, magic }
  }
  const list = (query: URLSearchParams) =>
    listing(ledger, {
      search: (query.get('search') ?? '').slice(0, 200),
      offset: whole(query.get('offset'), Number.MAX_SAFE_INTEGER),
      limit: whole(query.get('limit'), MOST_ROWS),
      keep: query.get('keep') ?? '',
    })
  const settle = (target: Payment, body: unknown) => {
    const status = isRecord(body) ? body.status : undefined
    if (typeof status !== 'string' || status === '' || status.length > MOST_STATUS_LENGTH) {
      throw new PageRefusal(400, `status must be a text of up to ${MOST_STATUS_LENGTH} characters.`)
    }
    target.settle(status)
    return { status: target.status }
  }
  const callAgain = (target: Payment) => {
    if (target.callbackUrl === undefined) throw new PageRefusal(409, 'The payment has no callbackUrl.')
    target.sendCallback()
    return { sent: true }
  }
  const arm = (body: unknown) => {
    pageFaults.arm(body)
    changes.notify()
    return pageFaults.list()
  }
  const disarm = (key: string | undefined) => {
    pageFaults.disarm(Number(key))
    changes.notify()
    return pageFaults.list()
  }

  return ({ method, path, query, body }) => {
    const [first, second, third, fourth, ...more] = path.split('/')
    if (more.length > 0) throw new PageRefusal(404, 'There is no such thing here.')
    switch (`${method} ${[first, third && '*', fourth].filter(Boolean).join('/')}`) {
      case 'GET info':
        return info()
      case 'GET news':
        return liveUpdateOf(parts)
      case 'GET payments':
        return list(query)
      case 'GET payments/*':
        return storyOf(payment(second, third), parts, mask)
      case 'POST payments/*/settle':
        return settle(payment(second, third), body)
      case 'POST payments/*/callback':
        return callAgain(payment(second, third))
      case 'GET faults':
        return pageFaults.list()
      case 'POST faults':
        return arm(body)
      case 'DELETE faults':
        return disarm(second)
      default:
        throw new PageRefusal(404, 'There is no such thing here.')
    }
  }
}

/** A whole number of the query, from 0 to `most`; 0 for anything else. */
function whole(text: string | null, most: number): number {
  const value = Math.floor(Number(text))
  return Number.isFinite(value) && value > 0 ? Math.min(value, most) : 0
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new PageRefusal(400, 'The id is not percent-encoded.')
  }
}
