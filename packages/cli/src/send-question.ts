import type { Agent, Dispatcher } from 'undici'
import type { Question, Reply } from './answer.js'
import { networkCode } from './network-problem.js'

/** How a question is sent. */
export interface Sending {
  readonly agent: Agent
  /** For an answer with its body. */
  readonly timeoutMs: number
}

const mostBytes = 1024 * 1024

/** Sends a question to an address, and reads the answer up to a limit; a redirect is an answer. Never rejects. */
export async function sendQuestion(
  base: URL,
  { method, path, headers, body }: Question,
  { agent, timeoutMs }: Sending,
): Promise<Reply> {
  const { request } = await import('undici')
  const limit = AbortSignal.timeout(timeoutMs)
  const start = performance.now()
  try {
    const response = await request(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`, {
      dispatcher: agent,
      method,
      headers: { accept: 'application/json', 'x-api-version': '2', ...headers },
      ...(body === undefined ? {} : { body }),
      signal: limit,
    })
    const text = await textOf(response.body)
    const dateMs = Date.parse([response.headers.date].flat()[0] ?? '')
    if (text === undefined) return { kind: 'none', code: 'TOO_LONG' }
    return {
      kind: 'answered',
      status: response.statusCode,
      ...(Number.isNaN(dateMs) ? {} : { dateMs }),
      tookMs: performance.now() - start,
      body: text,
    }
  } catch (error) {
    return { kind: 'none', code: limit.aborted ? 'TIMEOUT' : networkCode(error) }
  }
}

/** The same over a connection of its own. */
export async function sendAlone(url: URL, question: Question, timeoutMs: number): Promise<Reply> {
  const agent = await newAgent()
  try {
    return await sendQuestion(url, question, { agent, timeoutMs })
  } finally {
    await agent.destroy()
  }
}

/** Without a proxy that the environment may name: it could read tokens. */
export async function newAgent(): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({ pipelining: 1 })
}

/** Undefined where it is too long. */
async function textOf(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    const buffer = Buffer.from(part)
    bytes += buffer.length
    if (bytes > mostBytes) return undefined
    parts.push(buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}
