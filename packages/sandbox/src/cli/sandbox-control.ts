import { Limit } from '../../../../src/client/input/limit.js'
import { isObject } from '../../../../src/client/input/own.js'
import { CommandFailed, exitCodes } from '../../../cli/src/exit-codes.js'
import type { Environment } from '../../../cli/src/io.js'
import { networkCode, networkProblem } from '../../../cli/src/network-problem.js'

const patienceMs = 10_000

/** The sandbox that a command is about: the one that is named, or the gateway of the environment. */
export function sandboxAddress(named: URL | undefined, env: Environment): URL {
  if (named !== undefined) return named
  const { GATEWAY_BASE_URL = '' } = env
  if (URL.canParse(GATEWAY_BASE_URL)) return new URL(GATEWAY_BASE_URL)
  throw new CommandFailed(
    'give --sandbox with the address of a sandbox, or set GATEWAY_BASE_URL to it; "merchant-gateway-sandbox" starts one.',
  )
}

/**
 * Asks a sandbox for something below /_sandbox/, which no gateway has.
 *
 * @throws {CommandFailed} when no sandbox answers, or it does not trust this caller.
 */
export async function askSandbox(sandbox: URL, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(sandbox, path, init, patienceMs)
  if (response.ok) return response
  await response.body?.cancel()
  throw strangerOf(sandbox, response.status)
}

/**
 * What a sandbox says of itself. It is asked before anything else: the environment may name a gateway, which is asked
 * for nothing.
 *
 * @param instead what the sentence says where it is no sandbox, such as "nothing was sent to it"
 * @throws {CommandFailed} when it is none.
 */
export async function sandboxInfo(sandbox: URL, instead: string): Promise<SandboxInfo> {
  const info: unknown = await jsonOf(await askSandbox(sandbox, 'info'))
  if (isObject(info) && Array.isArray(info.magic)) return { magic: info.magic, clock: info.clock }
  throw new CommandFailed(
    `what answers at ${sandbox.origin} is no sandbox, so ${instead}; name one with --sandbox, or start one with "merchant-gateway-sandbox".`,
    exitCodes.refused,
  )
}

/** Not checked any further. */
interface SandboxInfo {
  readonly magic: readonly unknown[]
  readonly clock: unknown
}

export type ControlMethod = 'GET' | 'POST' | 'DELETE'

/** A request to the API of the sandbox's page. */
interface ControlRequest {
  readonly method: ControlMethod
  /** Below the API, without a slash at its beginning. */
  readonly path: string
  readonly body?: unknown
  readonly timeoutMs: number
}

/**
 * Has a sandbox do something, and returns what it answers.
 *
 * @throws {CommandFailed} with the sandbox's own sentence, where it refuses.
 */
export async function requestControl(sandbox: URL, request: ControlRequest): Promise<unknown> {
  await sandboxInfo(sandbox, 'nothing was sent to it')
  const { method, path, body, timeoutMs } = request
  const content = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await send(sandbox, path, { method, ...(body === undefined ? {} : content) }, timeoutMs)
  const answer = await jsonOf(response)
  if (response.ok) return answer
  if (!isObject(answer) || typeof answer.message !== 'string') throw strangerOf(sandbox, response.status)
  throw new CommandFailed(answer.message, response.status === 400 ? exitCodes.usage : exitCodes.refused)
}

async function send(sandbox: URL, path: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const { origin } = sandbox
  try {
    const signal = init.signal ?? new Limit({ ms: timeoutMs }).signal
    return await fetch(`${origin}/_sandbox/api/${path}`, { redirect: 'manual', ...init, signal })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    if (networkCode(error) === 'TIMEOUT') {
      throw new CommandFailed(
        `the sandbox at ${origin} did not answer within ${timeoutMs / 1000} s.`,
        exitCodes.unreachable,
      )
    }
    throw new CommandFailed(
      `no sandbox answers at ${origin}: ${networkProblem(networkCode(error))}.`,
      exitCodes.unreachable,
    )
  }
}

function strangerOf({ origin, port }: URL, status: number): CommandFailed {
  if (status === 403) {
    return new CommandFailed(
      `the sandbox at ${origin} answers to its own address only; for one on another machine open a tunnel with "ssh -L ${port}:127.0.0.1:${port} HOST", and name it http://127.0.0.1:${port}.`,
      exitCodes.refused,
    )
  }
  return new CommandFailed(
    `what answers at ${origin} is no sandbox with its page (${status}); "merchant-gateway-sandbox" starts one.`,
    exitCodes.refused,
  )
}

function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined)
}
