import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { generate } from 'selfsigned'
import { anyToken } from '../faults/servers.js'
import { listen } from '../support/listening.js'

/** A certificate that nobody but a client told so will trust. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  readonly host?: string
  readonly notAfter?: Date
}

/** For 127.0.0.1, unless it is to be for another host. */
export async function certificate({ host, notAfter }: CertificateOptions = {}): Promise<Certificate> {
  const name = host ?? '127.0.0.1'
  const year = 365 * 24 * 3600_000
  const notAfterDate = notAfter ?? new Date(Date.now() + year)
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(notAfterDate.getTime() - 2 * year),
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [host === undefined ? { type: 7, ip: '127.0.0.1' } : { type: 2, value: host }],
      },
    ],
  })
  return { cert, key }
}

export interface TlsGateway extends AsyncDisposable {
  readonly url: string
  readonly host: string
  /** Method, path and authorization of every request that arrived. */
  readonly requests: string[]
}

/** A gateway behind TLS: mints a token, and answers everything else with an empty object. */
export async function tlsGateway(certificate: Certificate): Promise<TlsGateway> {
  const requests: string[] = []
  const server = createHttpsServer(certificate, (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(request.url === '/auth-tokens' ? { token: anyToken } : {}))
  })
  server.on('tlsClientError', () => {})
  const port = await listen(server)
  return {
    url: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** The request lines that it saw. */
  readonly requests: string[]
  /** Everything that it could read of what clients sent, in tunnels and outside of them. */
  readonly seen: () => string
}

export interface ProxyOptions {
  /** Where its tunnels lead; where they were asked to by default. */
  readonly to?: string
  /** What it answers in place of a tunnel, as the head of an HTTP answer. */
  readonly refuse?: string
}

/** An HTTP proxy that keeps what it sees. */
export async function proxy({ to, refuse }: ProxyOptions = {}): Promise<Proxy> {
  const requests: string[] = []
  const sockets = new Set<Duplex>()
  let seen = ''
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    seen += `${request.rawHeaders.join('\n')}\n`
    request.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1')
    })
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  server.on('connect', (request, socket) => {
    requests.push(`${request.method} ${request.url}`)
    seen += `${request.rawHeaders.join('\n')}\n`
    keep(sockets, socket)
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse}\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const [host = '', port] = (to ?? request.url ?? '').split(':')
    const onward: Socket = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.on('data', (chunk: Buffer) => {
        seen += chunk.toString('latin1')
        onward.write(chunk)
      })
      onward.pipe(socket)
    })
    keep(sockets, onward)
    socket.on('close', () => onward.destroy())
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    seen: () => seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function keep(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
}
