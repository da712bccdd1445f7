import type { Payment } from '../payments/payment.js'
import { isRecord } from '../wire/json-body.js'
import { listing } from './listing.js'
import { Mask } from './mask.js'
import type { Info } from './messages.js'
import { FaultDesk } from './page-faults.js'
import type { PageParts } from './parts.js'
import { newsOf } from './rate.js'
import { Refused } from './responses.js'
import { storyOf } from './story.js'

/** A request of the page, already known to come from it. */
export interface Question {
  readonly method: string
  /** Below /_sandbox/api/. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** @throws Refused */
export type Answerer = (question: Question) => unknown

const MOST_ROWS = 200
const MOST_STATUS_LENGTH = 64

/** What the page can ask and do. */
export function createApi(parts: PageParts): Answerer {
  const { bank, clock, faults, pulse, settings } = parts
  const mask = new Mask([settings.merchantSecret])
  const desk = new FaultDesk(faults)

  const payment = (kind = '', id = ''): Payment => {
    if (kind !== 'payin' && kind !== 'payout') throw new Refused(404, 'There are payins and payouts.')
    const found = bank.store(kind).find(decode(id))
    if (found === undefined) throw new Refused(404, 'The sandbox holds no payment with this id.')
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
    listing(bank, {
      search: (query.get('search') ?? '').slice(0, 200),
      offset: whole(query.get('offset'), Number.MAX_SAFE_INTEGER),
      limit: whole(query.get('limit'), MOST_ROWS),
      keep: query.get('keep') ?? '',
    })
  const settle = (target: Payment, body: unknown) => {
    const status = isRecord(body) ? body.status : undefined
    if (typeof status !== 'string' || status === '' || status.length > MOST_STATUS_LENGTH) {
      throw new Refused(400, `status must be a text of up to ${MOST_STATUS_LENGTH} characters.`)
    }
    target.settle(status)
    return { status: target.status }
  }
  const callAgain = (target: Payment) => {
    if (target.callbackUrl === undefined) throw new Refused(409, 'The payment has no callbackUrl.')
    target.sendCallback()
    return { sent: true }
  }
  const arm = (body: unknown) => {
    desk.arm(body)
    pulse.beat()
    return desk.list()
  }
  const disarm = (key: string | undefined) => {
    desk.disarm(Number(key))
    pulse.beat()
    return desk.list()
  }

  return ({ method, path, query, body }) => {
    const [first, second, third, fourth, ...more] = path.split('/')
    if (more.length > 0) throw new Refused(404, 'There is no such thing here.')
    switch (`${method} ${[first, third && '*', fourth].filter(Boolean).join('/')}`) {
      case 'GET info':
        return info()
      case 'GET news':
        return newsOf(parts)
      case 'GET payments':
        return list(query)
      case 'GET payments/*':
        return storyOf(payment(second, third), parts, mask)
      case 'POST payments/*/settle':
        return settle(payment(second, third), body)
      case 'POST payments/*/callback':
        return callAgain(payment(second, third))
      case 'GET faults':
        return desk.list()
      case 'POST faults':
        return arm(body)
      case 'DELETE faults':
        return disarm(second)
      default:
        throw new Refused(404, 'There is no such thing here.')
    }
  }
}

/** A number of the query; 0 for what is none, and never more than `most`. */
function whole(text: string | null, most: number): number {
  const value = Math.floor(Number(text))
  return Number.isFinite(value) && value > 0 ? Math.min(value, most) : 0
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new Refused(400, 'The id is not percent-encoded.')
  }
}
