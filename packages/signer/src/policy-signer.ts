import { lstatSync } from 'node:fs'
import { connect } from 'node:net'
import {
  byDefault,
  duration,
  optionWords,
  type Rows,
  read,
  text,
  wholeNumber,
} from '../../../src/client/input/reader.js'
import { visible } from '../../../src/client/input/visible.js'
import { ConfigurationError, type Signer } from '../../../src/index.js'
import type { Answer } from './line-protocol.js'
import { Questions } from './questions.js'
import { SignerRefusal } from './refusal.js'

/** Options of {@link policySigner}. */
export interface PolicySignerOptions {
  /** The path of the signer's Unix socket; or else `port` and `token`. */
  socket?: string | undefined
  /** The port of this machine that the signer listens at. */
  port?: number | undefined
  /** What the signer wants to be shown at its port. */
  token?: string | undefined
  /** How long one signature may take, in milliseconds. Default 5000. */
  timeoutMs?: number | undefined
}

const rows = {
  socket: text,
  port: wholeNumber(1),
  token: text,
  timeoutMs: byDefault(duration, 5000),
} satisfies Rows<PolicySignerOptions>

/**
 * A client's `signer` that asks the signer of another process, `merchant-gateway signer`. With it each payment takes
 * tokens of its own (`tokens: 'per-payment'`), which is one more request for each. What the policy does not allow ends
 * the call with a `SigningError` that names the rule, and nothing is sent.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const client = GatewayClient.fromEnv({ signer: policySigner({ socket: '/run/signer/signer.sock' }) })
 */
export function policySigner(options: PolicySignerOptions): Signer {
  const { socket, port, token, timeoutMs } = read(
    options,
    rows,
    optionWords(ConfigurationError, 'policySigner', 'socket, or port and token'),
  )
  if ((socket === undefined) === (port === undefined) || (port === undefined) !== (token === undefined)) {
    throw new ConfigurationError('policySigner needs either socket, or port and token.', { option: 'socket' })
  }
  const where = port === undefined ? { path: socket ?? '' } : { host: '127.0.0.1', port }
  const questions = new Questions(() => {
    if (socket !== undefined && isLink(socket)) throw new Error(`${socket} is a link, and no socket`)
    return connect(where)
  }, timeoutMs)
  return {
    tokens: 'per-payment',
    async sign(bytes) {
      const answer = await questions
        .ask({ token, bytes: Buffer.from(bytes).toString('base64') })
        .catch((error: unknown) => {
          throw explained(error)
        })
      return signatureIn(answer)
    },
  }
}

/** A socket that is not there shows when it is connected to. */
function isLink(socket: string): boolean {
  return lstatSync(socket, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function signatureIn(answer: Answer): Uint8Array {
  if ('signature' in answer) return Buffer.from(answer.signature, 'base64')
  // These reach errors and logs, and whoever has got into the signer's place may have written them.
  if ('rule' in answer) throw new SignerRefusal(answer.rule, visible(answer.why))
  throw new Error(`the signer could not sign: ${visible(answer.failure)}`)
}

const closed = 'it closed the connection: it ends, or others take all of its connections; try again'

const remedies: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'nothing is there: check that the signer runs, at this socket',
  ECONNREFUSED: 'nobody listens there: check that the signer runs',
  EAGAIN: 'so many ask it that it takes no more; try again',
  EACCES: 'this user may not use it: check that it is in the group of the socket (--group)',
  ECONNRESET: closed,
  EPIPE: closed,
}

/** Its message is in that of the client's error, which knows it by its name. */
class SignerUnreachableError extends Error {
  override readonly name = 'SignerUnreachableError'
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // A sentence of ours, as that no answer came in time.
  if (!('code' in error)) return new SignerUnreachableError(error.message, { cause: error })
  const remedy = remedies[String(error.code)]
  if (remedy === undefined) return error
  return new SignerUnreachableError(`the signer can't be reached (${error.code}): ${remedy}`, {
    cause: error,
  })
}
