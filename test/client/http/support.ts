import { KnownSecrets } from '../../../src/client/http/known-secrets.js'
import { PermitQueue } from '../../../src/client/http/limit/queue.js'
import { type HttpParts, UnderWay } from '../../../src/client/http/parts.js'
import { RequestHeaders } from '../../../src/client/http/request-headers.js'
import { Observer } from '../../../src/client/observe/observer.js'

/** What http stands on, without what a client puts there. */
export function httpParts({
  transport,
  limiter,
}: {
  transport: Pick<HttpParts['transport'], 'send'>
  limiter: ConstructorParameters<typeof PermitQueue>[0]['limiter']
}): HttpParts {
  const origin = 'https://gateway.example'
  return {
    transport: { ...transport, close: () => Promise.resolve() },
    now: Date.now,
    permits: new PermitQueue({ limiter, maxQueued: 10 }),
    basePath: '',
    underWay: new UnderWay(),
    headers: new RequestHeaders(),
    known: new KnownSecrets(),
    keyTexts: () => [],
    observer: new Observer({ origin, basePath: '', logger: undefined, slowCallMs: 1 }),
    closing: new AbortController().signal,
  }
}
