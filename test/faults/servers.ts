import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { listen } from '../support/listening.js'
import { idField, type Kind } from './support.js'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Reply = (response: ServerResponse, request: Seen) => void

/** Answers one after another; the last one again and again. */
export interface Script {
  readonly token?: readonly Reply[]
  readonly create?: readonly Reply[]
  readonly lookUp?: readonly Reply[]
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end(body)
  }

/** Never answers. */
export const stall: Reply = () => {}

/** The status and half of a body, and then silence. */
export const stallBody =
  (status = 200): Reply =>
  (response) => {
    response.writeHead(status, { 'content-length': '1000' })
    response.write('{"paymentRequested":')
  }

export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy()
}

/** What the gateway answers when it accepts, for the id in the path and the money in the body. */
export const accept: Reply = (response, request) => {
  const [, resource = '', id = ''] = request.path.split('/')
  const name = resource === 'payins' ? 'idPayin' : 'idPayout'
  const { paymentRequested } = JSON.parse(request.body) as { paymentRequested: unknown }
  json(200, { paymentRequested, paymentMethodResponse: { [name]: decodeURIComponent(id) } })(
    response,
    request,
  )
}

/** A payment as a lookup shows it. */
export function found(kind: Kind, id = 'order-1', amount = 10.5) {
  return {
    paymentRequested: { money: { amount, currencyCode: 'EUR' } },
    process: { status: 'PENDING', createdAt: '2026-11-01T10:00:00.000Z', isTest: true },
    paymentMethodResponse: { paymentMethodCode: 'BANK_TRANSFER', [idField(kind)]: id },
  }
}

/** A token that any client takes and nobody checks. */
export const anyToken = `${base64url({ alg: 'none' })}.${base64url({ sub: 'M-0001' })}.c2ln`

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export interface HandMadeGateway {
  readonly url: string
  readonly requests: Seen[]
  /** Connections that are open now. */
  readonly sockets: Set<Socket>
  [Symbol.asyncDispose](): Promise<void>
}

/** A gateway that does what the script says, for answers that the sandbox would never give. */
export async function handMadeGateway(script: Script): Promise<HandMadeGateway> {
  const requests: Seen[] = []
  const turns = { token: 0, create: 0, lookUp: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const seen = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
      requests.push(seen)
      const route = /\/auth-tokens(-by-action)?$/.test(path)
        ? 'token'
        : method === 'POST'
          ? 'create'
          : 'lookUp'
      const replies = script[route] ?? [route === 'token' ? json(200, { token: anyToken }) : json(404, {})]
      const reply = replies[Math.min(turns[route]++, replies.length - 1)]
      reply?.(response, seen)
    })
    response.on('error', () => {})
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    url,
    requests,
    sockets,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A server below HTTP: whatever comes is answered with these bytes, and the connection ends. */
export async function rawServer(
  answer: (request: string) => string,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => socket.end(answer(chunk.toString('latin1'))))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return { url, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}
