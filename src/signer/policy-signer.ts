import { lstatSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { jsonOf } from '../client/input/json.js'
import { limited } from '../client/input/limit.js'
import { isObject } from '../client/input/own.js'
import {
  byDefault,
  duration,
  is,
  optionWords,
  type Rows,
  read,
  text,
  wholeNumber,
} from '../client/input/reader.js'
import { ConfigurationError, type Signer } from '../index.js'
import type { SignerRule } from './decision.js'
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
  token: is<string>(
    'a text of visible characters',
    (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  ),
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
  const where = socket === undefined ? { host: '127.0.0.1', port } : { socketPath: socket }
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    tokens: 'per-payment',
    async sign(bytes) {
      return limited({ ms: timeoutMs }, async (signal) => {
        if (socket !== undefined && isLink(socket)) throw new Error(`${socket} is a link, and no socket`)
        // A connection for each: none is left behind, and none is stale.
        const asked = request({ ...where, path: '/sign', method: 'POST', agent: false, signal, headers })
        const answered = new Promise<IncomingMessage>((resolve, reject) =>
          asked
            .once('response', resolve)
            .once('error', (error) => reject(unreachable(error)))
            .once('close', () => reject(new Error('the signer closed the connection without an answer'))),
        )
        asked.end(bytes)
        return signatureIn(await answered)
      })
    },
  }
}

/** A socket that is not there shows when it is connected to. */
function isLink(socket: string): boolean {
  return lstatSync(socket, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

const remedies: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'nothing is there: does the signer run, at this socket?',
  ECONNREFUSED: 'nobody listens there: does the signer run?',
  EACCES: 'this user may not use it: is it in the group of the socket (--group)?',
}

function unreachable(error: NodeJS.ErrnoException): Error {
  const remedy = remedies[error.code ?? '']
  return remedy === undefined
    ? error
    : new Error(`the signer can't be reached (${error.code}): ${remedy}`, { cause: error })
}

/** The longest answer: a signature of a key of 16,384 bits, or a sentence. */
const longestAnswer = 4096

async function signatureIn(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > longestAnswer) throw new Error('the signer answered with more than a signature')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (response.statusCode === 200) return body
  const json = response.statusCode === 403 ? jsonOf(body.toString('utf8')) : undefined
  if (isObject(json) && isRule(json.rule) && typeof json.why === 'string')
    throw new SignerRefusal(json.rule, json.why)
  throw new Error(`the signer answered ${response.statusCode}`)
}

/** A later signer may know more rules than this client. */
function isRule(rule: unknown): rule is SignerRule {
  return typeof rule === 'string' && /^[a-z-]{1,40}$/.test(rule)
}
