import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { ConfigurationError, type Signer } from '../index.js'
import { listenAt } from './listen-alone.js'
import { listenAtSocket } from './listen-socket.js'
import { upTo } from './pace.js'
import { SignerRefusal } from './refusal.js'
import { longestRequest } from './token-request.js'

/** Where a signer listens: at a Unix socket, or on this machine alone with a token. */
export type ListenOptions =
  | {
      /** The path of the socket. It is made anew; what else is there is refused. */
      readonly socket: string
      /** `0o600` for the same user, `0o660` for the socket's group as well. Default `0o600`. */
      readonly mode?: 0o600 | 0o660 | undefined
    }
  | {
      /** A port of 127.0.0.1; 0 for a free one. */
      readonly port: number
      /** What clients have to show: 32 characters or more. */
      readonly token: string
    }

/** A signer that is listened at. */
export interface SignerServer {
  /** The port, where it is one. */
  readonly port: number | undefined
  /** Ends the connections, and takes the socket away. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Lets clients of other processes have their token requests signed: `policySigner` asks it.
 *
 * @throws {ConfigurationError} where a link, a file or another signer is in the socket's place.
 * @example
 * const server = await listen(signer, { socket: '/run/signer/signer.sock', mode: 0o660 })
 */
export async function listen(signer: Signer, options: ListenOptions): Promise<SignerServer> {
  const isAllowed = 'token' in options ? showing(options.token) : () => true
  const mayAsk = upTo(mostInASecond, mostAtOnce)
  const server = createServer(
    { requestTimeout: 5000, headersTimeout: 2000, connectionsCheckingInterval: 500, maxHeaderSize: 4096 },
    (request, response) => {
      answer(request, signer, isAllowed, mayAsk).then(
        ({ status, body }) => response.writeHead(status, { connection: 'close' }).end(body),
        () => response.destroy(),
      )
    },
  )
  server.maxConnections = 128
  let remove = () => {}
  if ('socket' in options) remove = await listenAtSocket(server, options.socket, options.mode ?? 0o600)
  else await listenAt(server, { port: options.port, host: '127.0.0.1' })
  const address = server.address()
  const close = async () => {
    remove()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : undefined,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The gateway takes ten requests a second in all: who asks for more signatures has no use for them. */
const [mostInASecond, mostAtOnce] = [20, 100]

function showing(token: string): (request: IncomingMessage) => boolean {
  if (token.length < 32) {
    throw new ConfigurationError('token must have 32 characters or more; nothing is signed.', {
      option: 'token',
    })
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), wanted)
}

interface Answer {
  readonly status: number
  readonly body: string | Uint8Array
}

async function answer(
  request: IncomingMessage,
  signer: Signer,
  isAllowed: (request: IncomingMessage) => boolean,
  mayAsk: () => boolean,
): Promise<Answer> {
  if (request.method !== 'POST' || request.url !== '/sign') return { status: 404, body: '' }
  if (!isAllowed(request)) return { status: 401, body: '' }
  if (!mayAsk())
    return refused(new SignerRefusal('busy', `it signs at most ${mostInASecond} requests a second`))
  const bytes = await bodyOf(request)
  if (bytes === undefined)
    return refused(new SignerRefusal('unreadable', `it has more than ${longestRequest} bytes`))
  try {
    return { status: 200, body: await signer.sign(bytes) }
  } catch (error) {
    if (error instanceof SignerRefusal) return refused(error)
    // What a KMS says is for whoever keeps the signer, and not for whoever asks.
    return { status: 502, body: '' }
  }
}

function refused({ rule, message }: SignerRefusal): Answer {
  return { status: 403, body: JSON.stringify({ rule, why: message }) }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > longestRequest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
