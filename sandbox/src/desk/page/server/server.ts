import type { Info, Kind, Listing, PaymentHistory } from '../../control/messages/payments.js'
import type { RequestDetail, RequestListing } from '../../control/messages/requests.js'

/** What the sandbox said when it refused. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const info = () => ask<Info>('info')
export const paymentHistory = (kind: Kind, id: string) => ask<PaymentHistory>(paymentPath(kind, id))
export const settle = (kind: Kind, id: string, status: string) =>
  ask<unknown>(`${paymentPath(kind, id)}/settle`, 'POST', { status })
export const sendCallback = (kind: Kind, id: string) =>
  ask<unknown>(`${paymentPath(kind, id)}/callback`, 'POST', {})

export const request = (key: string) => ask<RequestDetail>(`requests/${key}`)
export const requests = (query: URLSearchParams) => ask<RequestListing>(`requests?${query}`)

/** Which rows of the list of payments are asked for; see `ListingQuery` of the sandbox. */
export interface Wanted {
  readonly search: string
  readonly offset: number
  readonly limit: number
  readonly keep: readonly string[]
}

export function payments({ search, offset, limit, keep }: Wanted): Promise<Listing> {
  const query = new URLSearchParams({ search, offset: String(offset), limit: String(limit) })
  for (const row of keep) query.append('keep', row)
  return ask(`payments?${query}`)
}

function paymentPath(kind: Kind, id: string): string {
  return `payments/${kind}/${encodeURIComponent(id)}`
}

const AWAY = 'The sandbox does not answer. It may have ended; this page keeps trying.'

/** The one place where the page believes what comes: its own server, of the same build, under one type. */
export async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method,
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
