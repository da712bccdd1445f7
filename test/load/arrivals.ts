import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'vitest'
import { type ClientSettings, GatewayClient } from '../../src/index.js'
import type { Arrival } from '../faults/fetch-gateway.js'
import { anySigner } from '../faults/support.js'

/** A client with every default but for what is given. */
export function defaultClient(fetch: typeof globalThis.fetch, more: Partial<ClientSettings> = {}) {
  const baseUrl = 'https://gateway.example'
  return new GatewayClient({ baseUrl, merchantCode: 'M-0001', signer: anySigner, fetch, ...more })
}

/** The gateway's promise to the merchant: up to so many requests in any 1000 ms (specification, section 8). */
export function expectNeverMoreThan(most: number, times: readonly number[], windowMs = 1000): void {
  const sorted = [...times].sort((a, b) => a - b)
  for (let n = 0; n + most < sorted.length; n++) {
    const span = (sorted[n + most] ?? 0) - (sorted[n] ?? 0)
    expect(span, `requests ${n} to ${n + most} of ${sorted.length}`).toBeGreaterThanOrEqual(windowMs)
  }
}

/** When undici writes requests, from now on until it is disposed of, in milliseconds of the monotonic clock. */
export function watchSends(): { readonly times: readonly number[]; [Symbol.dispose](): void } {
  const times: number[] = []
  const note = () => void times.push(performance.now())
  subscribe('undici:client:sendHeaders', note)
  return { times, [Symbol.dispose]: () => void unsubscribe('undici:client:sendHeaders', note) }
}

/** Requests that went out apart arrive together where the machine stands still for as long as the client's guard. */
const stallMs = 60

/** How many 429s the machine is to blame for, from now on: none, unless it stood still. */
export function watchStalls(): { most(): number; [Symbol.dispose](): void } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return { most: () => (delay.max / 1e6 > stallMs ? 3 : 0), [Symbol.dispose]: () => void delay.disable() }
}

/** A server that counts arrivals in a sliding window of its own, and refuses what is too much. */
export function countingServer(accept: (arrival: Arrival) => Response): (arrival: Arrival) => Response {
  const passed: number[] = []
  return (arrival) => {
    while (passed[0] !== undefined && arrival.atMs - passed[0] >= 1000) passed.shift()
    if (passed.length >= 10) return Response.json({ code: 'TOO_MANY_REQUESTS' }, { status: 429 })
    passed.push(arrival.atMs)
    return accept(arrival)
  }
}

/** Accepts each payment once; 409 for one that it has. */
export function bookkeeper() {
  const payments = new Map<string, number>()
  const accept = ({ method, path, body }: Arrival): Response => {
    const [, resource = '', id = ''] = path.split('/')
    const name = resource === 'payins' ? 'idPayin' : 'idPayout'
    const paymentMethodResponse = { [name]: decodeURIComponent(id) }
    if (method === 'GET') {
      const paymentRequested = { money: { amount: 10.5, currencyCode: 'EUR' } }
      return Response.json({ paymentRequested, process: { status: 'PENDING' }, paymentMethodResponse })
    }
    const times = (payments.get(path) ?? 0) + 1
    payments.set(path, times)
    if (times > 1) return Response.json({}, { status: 409 })
    return Response.json({ ...JSON.parse(body), paymentMethodResponse })
  }
  return { accept, payments }
}
