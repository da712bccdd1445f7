import type { Info, SandboxState } from '../../api/controls/controls.js'
import type { Created } from '../../api/controls/page-create.js'
import type { Resent } from '../../api/controls/resend.js'
import type { LiveState } from '../../api/live.js'
import type { ClockOrder, CreateOrder, LimiterOrder, ResendOrder, SettleOrder } from '../../api/orders.js'
import type { Kind, ListWindow, Row } from '../../api/payments/listing.js'
import type { PaymentHistory } from '../../api/payments/payment-history.js'
import type { RequestDetail } from '../../api/requests/request-detail.js'
import type { RequestListing } from '../../api/requests/request-listing.js'
import type { FaultOrder } from '../faults/fault-order.js'

/** What the sandbox said when it refused. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const info = () => ask<Info>('info')
/** One that stands still is as good as gone: it would be called live for ever. */
export const readLive = () => ask<LiveState>('live', 'GET', undefined, AbortSignal.timeout(LIVE_MS))
export const paymentHistory = (kind: Kind, id: string) => ask<PaymentHistory>(paymentPath(kind, id))
export const settle = (kind: Kind, id: string, order: SettleOrder) =>
  ask<unknown>(`${paymentPath(kind, id)}/settle`, 'POST', order)
export const sendCallback = (kind: Kind, id: string, form: object = {}) =>
  ask<unknown>(`${paymentPath(kind, id)}/callback`, 'POST', form)

export const request = (key: string) => ask<RequestDetail>(`requests/${key}`)
export const requests = (query: URLSearchParams) => ask<RequestListing>(`requests?${query}`)

export const readState = () => ask<SandboxState>('state')
export const armFault = (order: FaultOrder) => ask<SandboxState>('faults', 'POST', order)
export const disarmFault = (key: string) => ask<SandboxState>(`faults/${key}`, 'DELETE')
export const disarmAll = () => ask<SandboxState>('faults', 'DELETE')
export const moveClock = (order: ClockOrder) => ask<SandboxState>('clock', 'POST', order)
export const changeLimiter = (order: LimiterOrder) => ask<SandboxState>('limiter', 'POST', order)
export const setBalance = (amount: number, currencyCode: string) =>
  ask<SandboxState>('balances', 'POST', { amount, currencyCode })
export const revokeTokens = () => ask<SandboxState>('tokens', 'DELETE')
export const resetSandbox = () => ask<SandboxState>('reset', 'POST', {})
export const createPayment = (order: CreateOrder) => ask<Created>('create', 'POST', order)
export const resendRequest = (number: number, order: ResendOrder) =>
  ask<Resent>(`requests/${number}/resend`, 'POST', order)

export const payments = (query: URLSearchParams) => ask<ListWindow<Row>>(`payments?${query}`)

function paymentPath(kind: Kind, id: string): string {
  return `payments/${kind}/${encodeURIComponent(id)}`
}

/** How long the sandbox may take to say whether anything is new. */
const LIVE_MS = 3000
const AWAY = 'The sandbox does not answer. It may have ended; this page keeps trying.'

/** The one place where the page believes what comes: its own server, of the same build, under one type. */
async function ask<T>(path: string, method = 'GET', body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch(() => {
    throw new Error(AWAY)
  })
  const answer = await response.json().catch(() => {
    throw new Error(AWAY)
  })
  if (!response.ok) throw new Refusal(response.status, String(answer.message))
  return answer
}
