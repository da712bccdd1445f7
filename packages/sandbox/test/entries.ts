import type { CallbackEntry, RequestEntry, StatusEntry } from '../src/page/api/payments/entries.js'

/** A create that was answered, unless the rest says otherwise. */
export function request(at: number, more: Partial<RequestEntry> = {}): RequestEntry {
  return {
    type: 'request',
    number: 1,
    at,
    method: 'POST',
    path: '/payins/order-1',
    isFromPage: false,
    status: 200,
    verdict: 'OK',
    arrival: 'whole',
    what: 'The payin was accepted.',
    isHarmless: false,
    tookMs: 1,
    fault: null,
    differs: [],
    isMint: false,
    ...more,
  }
}

export function lookup(at: number, more: Partial<RequestEntry> = {}): RequestEntry {
  return request(at, { method: 'GET', ...more })
}

export function status(at: number, name: string, before: string | null = null): StatusEntry {
  return { type: 'status', at, status: name, before, cause: 'gateway' }
}

/** A callback that was accepted, unless the rest says otherwise. */
export function callback(at: number, more: Partial<CallbackEntry> = {}): CallbackEntry {
  return {
    type: 'callback',
    at,
    url: '',
    attempt: 1,
    paymentStatus: 'SUCCESS',
    response: 204,
    responseBody: null,
    error: null,
    fix: null,
    source: 'change',
    fault: null,
    isWithheld: false,
    method: 'POST',
    headers: [],
    body: null,
    tookMs: 2,
    nextTryAt: null,
    isGivenUp: false,
    ...more,
  }
}
