import { connect } from 'node:tls'
import { networkCode } from '../network-problem.js'
import type { Watch } from './paced-fetch.js'

/** What a request without a token tells: it goes no further than the gateway's door. */
export type Reach =
  | { readonly kind: 'failed'; readonly code: string }
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly tookMs: number
      /** By how much this machine's clock is ahead; absent without a Date. */
      readonly clockAheadMs?: number
    }

export interface TlsFacts {
  readonly protocol: string
  readonly expiresAt: number
}

const patienceMs = 10_000

export async function reach(baseUrl: URL, { fetch }: Watch): Promise<Reach> {
  try {
    const start = performance.now()
    const response = await fetch(doorOf(baseUrl), knock())
    const tookMs = performance.now() - start
    await response.body?.cancel()
    return { kind: 'answered', status: response.status, tookMs, ...clockOf(response, tookMs) }
  } catch (error) {
    return { kind: 'failed', code: networkCode(error) }
  }
}

/** Whether the gateway takes no two requests at once (429), though it takes them one after the other; undefined when it can't be said. */
export async function refusesPair(baseUrl: URL, watch: Watch): Promise<boolean | undefined> {
  try {
    return await watch.refusesPair(doorOf(baseUrl), knock())
  } catch {
    // The lines before tell of what can't be reached.
    return undefined
  }
}

function doorOf({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}/merchant-info`
}

function knock(): RequestInit {
  return {
    headers: { accept: 'application/json', 'x-api-version': '2' },
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  }
}

function clockOf(response: Response, tookMs: number): { clockAheadMs?: number } {
  const date = Date.parse(response.headers.get('date') ?? '')
  // The header counts whole seconds, and was written about half way through.
  return Number.isNaN(date) ? {} : { clockAheadMs: Math.round(Date.now() - tookMs / 2 - (date + 500)) }
}

/** Protocol and certificate, after fetch has found them good. */
export function tlsFacts({ hostname, port, protocol }: URL): Promise<TlsFacts | undefined> {
  if (protocol !== 'https:') return Promise.resolve(undefined)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve) => {
    const socket = connect(
      { host, port: Number(port || 443), servername: /^[\d.]+$|:/.test(host) ? '' : host },
      () => {
        resolve({
          protocol: socket.getProtocol() ?? 'TLS',
          expiresAt: Date.parse(socket.getPeerCertificate().valid_to),
        })
        socket.destroy()
      },
    )
    const give = () => {
      resolve(undefined)
      socket.destroy()
    }
    socket.setTimeout(patienceMs, give).on('error', give)
  })
}
