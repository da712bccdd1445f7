import { hash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigurationError, type Signer } from '../../../src/index.js'
import { Connections } from './connections.js'
import { SignerRefusal } from './refusal.js'
import { tokenBucket } from './token-bucket.js'
import { listenAt, listenAtSocket } from './unix-socket.js'

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
  const isShown = 'token' in options ? showing(options.token) : () => true
  const mayAsk = tokenBucket(mostInASecond, mostAtOnce)
  const connections = new Connections(async (question) => {
    const { n } = question
    if (!isShown(question.token)) return { n, failure: 'the token is not the one of GATEWAY_SIGNER_TOKEN' }
    if (!mayAsk()) return { n, rule: 'busy', why: `it signs at most ${mostInASecond} requests a second` }
    try {
      const signature = await signer.sign(Buffer.from(question.bytes, 'base64'))
      return { n, signature: Buffer.from(signature).toString('base64') }
    } catch (error) {
      if (error instanceof SignerRefusal) return { n, rule: error.rule, why: error.message }
      // What a KMS says is for whoever keeps the signer, and not for whoever asks.
      return { n, failure: 'its key did not sign' }
    }
  })
  const server = createServer((socket) => connections.add(socket))
  let remove = () => {}
  if ('socket' in options) remove = await listenAtSocket(server, options.socket, options.mode ?? 0o600)
  else await listenAt(server, { port: options.port, host: '127.0.0.1' })
  const address = server.address()
  const close = async () => {
    remove()
    const closed = once(server, 'close')
    server.close()
    connections.endAll()
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

function showing(token: string): (shown: string | undefined) => boolean {
  if (token.length < 32) {
    const sentence = 'token must have 32 characters or more; nothing is signed.'
    throw new ConfigurationError(sentence, { option: 'token' })
  }
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const wanted = digest(token)
  return (shown = '') => timingSafeEqual(digest(shown), wanted)
}
