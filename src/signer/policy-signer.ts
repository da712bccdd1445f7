import { lstatSync } from 'node:fs'
import { connect } from 'node:net'
import { jsonOf } from '../client/input/json.js'
import {
  byDefault,
  duration,
  optionWords,
  type Rows,
  read,
  text,
  wholeNumber,
} from '../client/input/reader.js'
import { visible } from '../client/input/visible.js'
import { ConfigurationError, type Signer } from '../index.js'
import * as z from '../profile/zod-library.js'
import { answerForm, readLine, sendLine } from './line-protocol.js'
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
  return {
    tokens: 'per-payment',
    async sign(bytes) {
      if (socket !== undefined && isLink(socket)) throw new Error(`${socket} is a link, and no socket`)
      // A connection for each: none is left behind, and none is stale.
      const connection = connect(where)
      const late = setTimeout(() => {
        connection.destroy(new Error(`the signer gave no answer in ${timeoutMs} ms (timeoutMs)`))
      }, timeoutMs)
      try {
        sendLine(connection, { token, bytes: Buffer.from(bytes).toString('base64') })
        return signatureIn(await readLine(connection, longestAnswer))
      } catch (error) {
        throw explained(error)
      } finally {
        clearTimeout(late)
        connection.destroy()
      }
    },
  }
}

/** A socket that is not there shows when it is connected to. */
function isLink(socket: string): boolean {
  return lstatSync(socket, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** The longest answer: a signature of a key of 16,384 bits, or a sentence. */
const longestAnswer = 4096

function signatureIn(line: string): Uint8Array {
  const { data: answer } = z.safeParse(answerForm, jsonOf(line))
  if (answer === undefined) throw new Error('the signer gave an answer that is none')
  if ('signature' in answer) return Buffer.from(answer.signature, 'base64')
  // These reach errors and logs, and whoever has got into the signer's place may have written them.
  if ('rule' in answer) throw new SignerRefusal(answer.rule, visible(answer.why))
  throw new Error(`the signer could not sign: ${visible(answer.failure)}`)
}

const closed = 'it closed the connection: it ends, or others take all of its connections; try again'

const remedies: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'nothing is there: does the signer run, at this socket?',
  ECONNREFUSED: 'nobody listens there: does the signer run?',
  EACCES: 'this user may not use it: is it in the group of the socket (--group)?',
  ECONNRESET: closed,
  EPIPE: closed,
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const remedy = remedies[String(error.code)]
  if (remedy === undefined) return error
  return new Error(`the signer can't be reached (${error.code}): ${remedy}`, { cause: error })
}
