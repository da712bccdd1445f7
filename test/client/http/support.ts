import type { HttpParts } from '../../../src/client/http/attempt.js'
import { RequestHeaders } from '../../../src/client/http/headers.js'
import { PermitQueue } from '../../../src/client/http/limit/queue.js'
import type { Transport } from '../../../src/client/http/transport/transport.js'
import { LazyTransport } from '../../../src/client/http/transport/transport.js'
import { Observer } from '../../../src/client/observe/observer.js'

/** What http stands on, without what a client puts there. */
export function httpParts({
  transport,
  limiter,
}: {
  transport: Pick<Transport, 'send'>
  limiter: ConstructorParameters<typeof PermitQueue>[0]['limiter']
}): HttpParts {
  const origin = 'https://gateway.example'
  return {
    transport: new LazyTransport(async () => ({ ...transport, close: () => Promise.resolve() })),
    now: Date.now,
    permits: new PermitQueue({ limiter, maxQueued: 10 }),
    basePath: '',
    withheld: new Map(),
    headers: new RequestHeaders(),
    observer: new Observer({ origin, basePath: '', logger: undefined, slowCallMs: 1 }),
    closing: new AbortController().signal,
  }
}
