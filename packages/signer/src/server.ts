import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Signer } from 'merchant-gateway'
import { type Answer, bytesAsked, say } from './protocol.js'
import { SignerRefusal } from './refusal.js'
import { listenAtSocket } from './unix-socket.js'

/** Where a signer listens. */
export interface ListenOptions {
  /** The path of the Unix socket. It is made anew; what else is there is refused. */
  readonly socket: string
  /** `0o600` for the same user, `0o660` for the group of the socket as well. Default `0o600`. */
  readonly mode?: 0o600 | 0o660 | undefined
}

/** A signer that listens. */
export interface SignerServer {
  /** Ends the connections, and removes the socket. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The gateway takes ten requests a second in all: whoever asks for more signatures has no use for them. */
const [mostInASecond, mostAtOnce] = [20, 100]
const mostConnections = 128
/** For a whole question; an honest one comes in one piece. */
const questionMs = 5000

/**
 * Lets clients of other processes have their token requests signed: they ask by `policySigner`.
 *
 * @throws where a link, a file or another signer is in the place of the socket ({@link ConfigurationError}).
 * @example
 * const server = await listen(signer, { socket: '/run/merchant-signer/signer.sock', mode: 0o660 })
 */
export async function listen(signer: Signer, options: ListenOptions): Promise<SignerServer> {
  const mayAsk = tokenBucket(mostInASecond, mostAtOnce)
  const sockets = new Set<Socket>()
  const serve = async (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    const late = setTimeout(() => socket.destroy(), questionMs)
    const bytes = await bytesAsked(socket).finally(() => clearTimeout(late))
    const busy = { rule: 'busy', why: `the signer signs at most ${mostInASecond} requests a second` } as const
    say(socket, mayAsk() ? await answerOf(signer, bytes) : busy)
    socket.destroySoon()
  }
  const server = createServer((socket) => {
    serve(socket).catch(() => socket.destroy())
  })
  server.maxConnections = mostConnections
  await listenAtSocket(server, options.socket, options.mode ?? 0o600)
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { close, [Symbol.asyncDispose]: close }
}

async function answerOf(signer: Signer, bytes: Uint8Array): Promise<Answer> {
  try {
    return { signature: Buffer.from(await signer.sign(bytes)).toString('base64') }
  } catch (error) {
    if (error instanceof SignerRefusal) return { rule: error.rule, why: error.message }
    // What a KMS says is for whoever keeps the signer, and not for whoever asks.
    return { failure: 'its key did not sign' }
  }
}

/** Whether one more request may come: so many at once, and so many a second from then on. */
export function tokenBucket(
  inASecond: number,
  atOnce: number,
  nowMs = () => performance.now(),
): () => boolean {
  let [left, at] = [atOnce, nowMs()]
  return () => {
    const now = nowMs()
    left = Math.min(atOnce, left + ((now - at) / 1000) * inASecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
