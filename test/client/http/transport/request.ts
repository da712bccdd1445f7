import type { TransportRequest } from '../../../../src/client/http/transport/transport.js'

/** A request that may begin at any time, and tells nobody when it is sent. */
export const request: TransportRequest = {
  method: 'POST',
  path: '/payouts/x',
  headers: {},
  body: '{}',
  timeoutMs: 10_000,
  signal: undefined,
  mayBegin: () => true,
  onSent: () => {},
}
