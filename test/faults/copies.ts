import { createServer, type Socket } from 'node:net'
import { listen } from '../support/listening.js'
import { anyToken } from './servers.js'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface RawGateway extends AsyncDisposable {
  readonly url: string
  /** Requests in the order in which they arrived, each with the number of its connection. */
  readonly requests: (RawRequest & { readonly connection: number })[]
  /** How many connections were made. */
  readonly made: () => number
  readonly open: Set<Socket>
}

/** Answers a request in bytes; the socket is for what an honest server wouldn't do. */
export type RawReply = (request: RawRequest, socket: Socket) => string | undefined

/** A gateway below HTTP. Tokens it gives itself. */
export async function rawGateway(reply: RawReply): Promise<RawGateway> {
  const requests: (RawRequest & { readonly connection: number })[] = []
  const open = new Set<Socket>()
  let made = 0
  const server = createServer((socket) => {
    const connection = ++made
    let received = ''
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (;;) {
        const read = readRequest(received)
        if (read === undefined) return
        received = read.rest
        requests.push({ ...read.request, connection })
        const answer = read.request.path.startsWith('/auth-tokens')
          ? rawAnswer(200, { token: anyToken })
          : reply(read.request, socket)
        if (answer !== undefined) socket.write(answer)
      }
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    made: () => made,
    open,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function readRequest(text: string): { request: RawRequest; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [method = '', path = ''] = text.split(' ', 2)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length) return undefined
  return { request: { method, path, body }, rest: text.slice(end + 4 + length) }
}

/** An HTTP answer in bytes. */
export function rawAnswer(status: number, body: unknown, headers = ''): string {
  const json = JSON.stringify(body)
  return `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n${headers}\r\n${json}`
}

/** A payment as a create shows it, by the path of its request. */
export function acceptedPayout(path: string): unknown {
  return {
    paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
    process: { status: 'PENDING' },
    paymentMethodResponse: { paymentMethodCode: 'BANK_TRANSFER', idPayout: path.split('/').pop() },
  }
}
