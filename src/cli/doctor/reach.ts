import { connect } from 'node:tls'
import { Limit } from '../../client/input/limit.js'
import { networkCode } from '../network-problem.js'
import { urlBelow } from '../urls.js'
import type { PacedFetch } from './paced-fetch.js'

/** What a request without a token shows: the gateway refuses it, and so answers. */
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

const timeoutMs = 10_000

export async function reach(baseUrl: URL, { fetch }: PacedFetch): Promise<Reach> {
  try {
    const start = performance.now()
    const response = await fetch(merchantInfoUrl(baseUrl), requestInit())
    const tookMs = performance.now() - start
    await response.body?.cancel()
    return { kind: 'answered', status: response.status, tookMs, ...clockOf(response, tookMs) }
  } catch (error) {
    return { kind: 'failed', code: networkCode(error) }
  }
}

/** Whether the gateway refuses (429) one of two requests sent at once; undefined when they could not be sent. */
export async function refusesTwoAtOnce(baseUrl: URL, paced: PacedFetch): Promise<boolean | undefined> {
  try {
    return await paced.refusesTwoAtOnce(merchantInfoUrl(baseUrl), requestInit())
  } catch {
    // The finding on the connection says why.
    return undefined
  }
}

function merchantInfoUrl(baseUrl: URL): string {
  return urlBelow(baseUrl, '/merchant-info')
}

function requestInit(): RequestInit {
  return {
    headers: { accept: 'application/json', 'x-api-version': '2' },
    redirect: 'manual',
    signal: new Limit({ ms: timeoutMs }).signal,
  }
}

function clockOf(response: Response, tookMs: number): { clockAheadMs?: number } {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? {} : { clockAheadMs: clockAheadMs(date, tookMs) }
}

/** By how much this machine's clock is ahead of the one that wrote the header `Date` of an answer just read. */
export function clockAheadMs(dateMs: number, tookMs: number): number {
  // The header has whole seconds (half a one is added), and was written about half way through the request.
  return Math.round(Date.now() - tookMs / 2 - (dateMs + 500))
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
    socket.setTimeout(timeoutMs, give).on('error', give)
  })
}
