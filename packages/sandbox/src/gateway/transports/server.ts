import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Engine } from '../engine/engine.js'
import { bodiless, type WireResponse } from '../wire/response.js'

/** Where to listen. */
export interface ListenOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** `127.0.0.1` by default: the sandbox is for this machine only, unless `host` says otherwise. */
  readonly host?: string
  /** Serves the sandbox's page at `/_sandbox/` as well: what the payments do, live. `false` by default. */
  readonly page?: boolean
  /**
   * Where the merchant's private key is, for the program that the page shows.
   * @internal
   */
  readonly keyFile?: string | undefined
}

/** What answers requests for the sandbox's own page; false for requests that are the gateway's. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** A sandbox that listens. */
export interface SandboxServer {
  /** Such as `http://127.0.0.1:50123`, without a slash at the end. */
  readonly url: string
  /** The port that was taken. */
  readonly port: number
  /** Ends all connections and stops listening; the sandbox itself stays. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const FOREIGN_PAGE =
  'A page of another site sent this by a browser, without the headers of the gateway: it is not processed.'

export async function serve(
  engine: Engine,
  { port = 0, host = '127.0.0.1' }: ListenOptions,
  maxBodyBytes: number,
  page: PageHandler = () => false,
): Promise<SandboxServer> {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      // Longer than clients keep idle connections, so that they rarely send on one that the server is closing.
      keepAliveTimeout: 30_000,
    },
    (request, response) => {
      // Node keeps the first of two, and whoever is before it may have looked at the second.
      if ((request.headersDistinct.host?.length ?? 0) > 1) {
        refuse(response, 400, 'TWO_HOSTS', 'The request has two Host headers.')
        return
      }
      if (page(request, response)) return
      if (isOfForeignPage(request.headers)) refuse(response, 403, 'FOREIGN_PAGE', FOREIGN_PAGE)
      else receive(engine, request, response, maxBodyBytes)
    },
  )
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw listenProblem(error, port, host)
  }
  // Such as too many open files: that connection fails, and the server goes on.
  server.on('error', () => {})
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The sandbox did not get a port.')
  const close = () => stop(server)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Before it counts for anything; its body is not read. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ code, message })
  response.on('error', () => {})
  response.shouldKeepAlive = false
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

function receive(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): void {
  const chunks: Buffer[] = []
  let size = 0
  let isReceived = false
  const receiveOnce = (oversized: boolean) => {
    if (isReceived) return
    isReceived = true
    // Copied, because the chunks are views of larger buffers, which the log would keep in memory.
    const body = Buffer.concat(oversized ? [] : chunks)
    const { method = '', url: path = '', headers } = request
    if (oversized) response.shouldKeepAlive = false
    const exchange = engine.handle({ method, path, headers, body, oversized })
    response.once('finish', () => exchange.end(true))
    response.once('close', () => exchange.end(false))
    void exchange.reply.then((reply) => write(response, reply))
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
    else {
      chunks.length = 0
      receiveOnce(true)
    }
  })
  request.on('end', () => receiveOnce(false))
  // A client that leaves in the middle of its request gets no response, and nothing is logged.
  request.on('error', () => {})
  response.on('error', () => {})
}

function write(response: ServerResponse, reply: WireResponse): void {
  const { socket } = response
  if (socket === null || socket.destroyed || reply.ending === 'stall') return
  if (reply.ending === 'drop') {
    socket.resetAndDestroy()
    return
  }
  const body = bodiless.has(reply.status) ? Buffer.alloc(0) : Buffer.from(reply.body)
  response.sendDate = false
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
  if (reply.ending === 'whole') {
    response.end(body)
    return
  }
  const half = body.subarray(0, Math.floor(body.length / 2))
  response.write(half, () => {
    if (reply.ending === 'cut-body') socket.destroy()
  })
}

/** What of a request's headers says that a browser sends it, and for which page; the headers of `node:http` fit. */
type BrowserHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Every request for the gateway has one of them, and a page can't add them for another site without being asked. */
const headersOfTheGateway = ['x-api-version', 'authorization', 'x-signature']

/**
 * Whether a page of another site has made the browser send a request: a form, a picture, a frame, or the question
 * whether it may send more. Such a request could do nothing, since it has no token; but it would use up the rate
 * limit, meet the faults that a test has armed, and stand in the log.
 *
 * A server that hands on a browser's headers has added those of the gateway, and programs send no `Origin`.
 */
function isOfForeignPage(headers: BrowserHeaders): boolean {
  if (headersOfTheGateway.some((name) => headers[name] !== undefined)) return false
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && origin !== `http://${String(host)}`
}

const sentences: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} of ${host} is taken, so the sandbox does not listen. End what listens there, or give another port; 0 takes a free one.`,
  EACCES: (port) =>
    `Port ${port} may not be used by this user, so the sandbox does not listen. Give a port above 1023; 0 takes a free one.`,
  EADDRNOTAVAIL: (_port, host) =>
    `${host} is no address of this machine, so the sandbox does not listen. Give another host; without one it is 127.0.0.1.`,
}

/** What keeps a server from listening, in two sentences. The code stays; Node's stack leads to Node only. */
function listenProblem(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence === undefined ? error : Object.assign(new Error(sentence(port, host)), { code })
}
