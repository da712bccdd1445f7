import type { ArmedFault, FaultOrder, Info, Kind, Listing, Story } from '../control/messages.js'

/** What the sandbox said when it refused. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const info = () => ask<Info>('info')
export const faults = () => ask<ArmedFault[]>('faults')
export const armFault = (order: FaultOrder) => ask<ArmedFault[]>('faults', 'POST', order)
export const disarmFault = (key: number) => ask<ArmedFault[]>(`faults/${key}`, 'DELETE')
export const story = (kind: Kind, id: string) => ask<Story>(paymentPath(kind, id))
export const settle = (kind: Kind, id: string, status: string) =>
  ask<unknown>(`${paymentPath(kind, id)}/settle`, 'POST', { status })
export const sendCallback = (kind: Kind, id: string) =>
  ask<unknown>(`${paymentPath(kind, id)}/callback`, 'POST', {})

export function payments(search: string, offset: number, limit: number, keep: string): Promise<Listing> {
  const query = new URLSearchParams({ search, offset: String(offset), limit: String(limit), keep })
  return ask(`payments?${query}`)
}

function paymentPath(kind: Kind, id: string): string {
  return `payments/${kind}/${encodeURIComponent(id)}`
}

/** The one place where the page believes what comes: its own server, of the same build, under one type. */
async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Refusal(response.status, String(answer.message))
  return answer
}
