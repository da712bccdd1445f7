import { isObject } from '../common/json.js'
import { limited } from '../common/limit.js'
import { CommandFailed, exitCodes, networkProblem } from './failure.js'
import type { Environment } from './io.js'

const patienceMs = 10_000

export function sandboxAddress(named: URL | undefined, env: Environment): URL {
  if (named !== undefined) return named
  const { GATEWAY_BASE_URL = '' } = env
  if (URL.canParse(GATEWAY_BASE_URL)) return new URL(GATEWAY_BASE_URL)
  throw new CommandFailed(
    'give --sandbox with the address of a sandbox, or set GATEWAY_BASE_URL to it. "merchant-gateway-sandbox" starts one.',
  )
}

/** @throws when no sandbox responds, or it does not trust this caller ({@link CommandFailed}). */
export async function askSandbox(sandbox: URL, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(sandbox, path, init)
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  const said = isObject(answer) && response.status !== 403 ? answer.message : undefined
  if (typeof said === 'string') throw new CommandFailed(said, exitCodes.refused)
  throw strangerOf(sandbox, response.status)
}

export function posted(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function send({ origin }: URL, path: string, init: RequestInit): Promise<Response> {
  const { signal: ends } = init
  const ask = (signal: AbortSignal) =>
    fetch(`${origin}/_sandbox/api/${path}`, { redirect: 'manual', ...init, signal })
  try {
    return await (ends ? ask(ends) : limited({ ms: patienceMs }, ask))
  } catch (error) {
    if (ends?.aborted === true) throw error
    throw new CommandFailed(
      `no sandbox responds at ${origin}: ${networkProblem(error)}.`,
      exitCodes.unreachable,
    )
  }
}

function strangerOf({ origin, port }: URL, status: number): CommandFailed {
  if (status === 403) {
    return new CommandFailed(
      `the sandbox at ${origin} responds at its own address only. For one on another machine open a tunnel with "ssh -L ${port}:127.0.0.1:${port} HOST", and name it http://127.0.0.1:${port}.`,
      exitCodes.refused,
    )
  }
  return new CommandFailed(
    `what responds at ${origin} is no sandbox with its page (${status}). "merchant-gateway-sandbox" starts one.`,
    exitCodes.refused,
  )
}
