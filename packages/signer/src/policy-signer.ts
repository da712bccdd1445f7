import { connect } from 'node:net'
import { ConfigurationError, type Signer } from 'merchant-gateway'
import * as z from 'zod/mini'
import { type Answer, ask } from './protocol.js'
import { SignerRefusal } from './refusal.js'
import { visible } from './text.js'

/** Options of {@link policySigner}. */
export interface PolicySignerOptions {
  /** The path of the signer's Unix socket. */
  socket: string
  /** How long one signature may take, in milliseconds. Default 5000. */
  timeoutMs?: number | undefined
}

const optionsForm = z.strictObject({
  socket: z.string('needs socket, the path of a Unix socket').check(z.minLength(1)),
  timeoutMs: z._default(z.int('takes timeoutMs in whole milliseconds').check(z.gte(1), z.lte(600_000)), 5000),
})

/**
 * A client's `signer` that asks the signer of another process, `merchant-gateway-signer serve`. With it each payment
 * takes tokens of its own (`tokens: 'per-payment'`), which is one more request for each. A request that the policy does
 * not allow ends the call with a `SigningError` that names the rule, and nothing is sent.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const client = GatewayClient.fromEnv({ signer: policySigner({ socket: '/run/merchant-signer/signer.sock' }) })
 */
export function policySigner(options: PolicySignerOptions): Signer {
  const { data, error } = z.safeParse(optionsForm, options)
  if (data === undefined) {
    const [issue] = error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const why = unknown === undefined ? 'needs socket, and takes timeoutMs' : `has no option ${unknown}`
    throw new ConfigurationError(`policySigner ${why}.`, { option: unknown ?? String(issue?.path[0]) })
  }
  return {
    tokens: 'per-payment',
    async sign(bytes) {
      const answer = await answerOf(data.socket, bytes, data.timeoutMs).catch((error: unknown) => {
        throw unreachable(error)
      })
      if ('signature' in answer) return Buffer.from(answer.signature, 'base64')
      // These reach errors and logs, and whoever has got into the place of the signer may have written them.
      if ('rule' in answer) throw new SignerRefusal(answer.rule, visible(answer.why))
      throw new Error(`the signer could not sign: ${visible(answer.failure)}`)
    },
  }
}

async function answerOf(path: string, bytes: Uint8Array, timeoutMs: number): Promise<Answer> {
  const socket = connect({ path })
  const timer = setTimeout(() => {
    const why = `the signer gave no response in ${timeoutMs} ms (timeoutMs)`
    socket.destroy(new Error(`${why}: check that it is not stopped, and that the disk of its log answers`))
  }, timeoutMs)
  try {
    return await ask(socket, bytes)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The error of the client knows it by its name, and takes its message over. */
class SignerUnreachableError extends Error {
  override readonly name = 'SignerUnreachableError'
}

const remedies: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'nothing is there: check that the signer runs, at this socket',
  ECONNREFUSED: 'nobody listens there: check that the signer runs',
  EACCES: 'this user may not use it: check that it is in the group of the socket (--group)',
}

function unreachable(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  // A sentence of ours, such as that no response came in time.
  if (!('code' in cause)) return new SignerUnreachableError(cause.message, { cause })
  const remedy = remedies[String(cause.code)] ?? 'it ends, or others take all of its connections; try again'
  return new SignerUnreachableError(`the signer can't be reached (${cause.code}): ${remedy}`, { cause })
}
