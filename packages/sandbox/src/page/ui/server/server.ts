import type { Created, Resent } from '../../api/actions/client.js'
import type { Info, LiveState, SandboxState } from '../../api/actions/state.js'
import type { ClockBody, CreateBody, StatusBody } from '../../api/bodies.js'
import type { Kind, ListWindow, Row } from '../../api/payments/listing.js'
import type { PaymentHistory } from '../../api/payments/payment-history.js'
import type { RequestDetail, RequestListing } from '../../api/requests/requests.js'

export class Refusal extends Error {}

const LIVE_MS = 3000
const AWAY = 'The sandbox does not respond. It may have ended; this page keeps trying.'

export const info = () => get<Info>('info')
/** A sandbox that hangs counts as gone. */
export const readLive = () => get<LiveState>('live', AbortSignal.timeout(LIVE_MS))
export const readState = () => get<SandboxState>('state')

export const payments = (query: URLSearchParams) => get<ListWindow<Row>>(`payments?${query}`)
export const paymentHistory = (kind: Kind, id: string) => get<PaymentHistory>(paymentPath(kind, id))
export const setStatus = (kind: Kind, id: string, body: StatusBody) =>
  post<unknown>(`${paymentPath(kind, id)}/status`, body)
export const sendCallback = (kind: Kind, id: string) => post<unknown>(`${paymentPath(kind, id)}/callback`)
export const createPayment = (body: CreateBody) => post<Created>('create', body)

export const requests = (query: URLSearchParams) => get<RequestListing>(`requests?${query}`)
export const request = (number: string) => get<RequestDetail>(`requests/${number}`)
export const resendRequest = (number: number) => post<Resent>(`requests/${number}/resend`)

export const addFault = (body: object) => post<SandboxState>('faults', body)
export const removeFault = (key: string) => remove(`faults/${key}`)
export const removeAllFaults = () => remove('faults')
export const moveClock = (body: ClockBody) => post<SandboxState>('clock', body)
export const revokeTokens = () => remove('tokens')
export const resetSandbox = () => post<SandboxState>('reset')

function paymentPath(kind: Kind, id: string): string {
  return `payments/${kind}/${encodeURIComponent(id)}`
}

function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask(path, signal === undefined ? {} : { signal })
}

function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return ask(path, { method: 'POST', body: JSON.stringify(body), headers })
}

function remove(path: string): Promise<SandboxState> {
  return ask(path, { method: 'DELETE' })
}

/** The one place where the page trusts what it gets: its own server, of the same build, under one type. */
async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`api/${path}`, init).catch(() => {
    throw new Error(AWAY)
  })
  const json = await response.json().catch(() => {
    throw new Error(AWAY)
  })
  if (!response.ok) throw new Refusal(String(json.message))
  return json
}
