import { connect } from 'node:tls'
import { timeoutMs } from './network.js'

export interface TlsFacts {
  readonly protocol: string
  readonly expiresAt: number
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
