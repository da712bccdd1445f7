import type { Failure, TransportResponse } from '../../src/client/http/failure.js'

/** A response of the gateway as a transport reads it. */
export function response(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): TransportResponse {
  return { status, body, headers: { get: (name) => headers[name] } }
}

/** The failure of an attempt that was answered with this status. */
export function answered(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Failure {
  return { kind: 'response', response: response(status, headers, body) }
}

export const notSent = { sent: false } as const
export const wasSent = { sent: true } as const
