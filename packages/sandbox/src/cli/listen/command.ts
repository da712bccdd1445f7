import { Command } from 'commander'
import { isObject } from '../../common/json.js'
import { limited } from '../../common/limit.js'
import { beginningOf } from '../../gateway/callbacks/delivery.js'
import { listenerHeader } from '../../page/api/http/forward.js'
import { httpUrl } from '../arguments.js'
import { CommandFailed, exitCodes, networkProblem } from '../failure.js'
import type { Environment, Io } from '../io.js'
import { jsonLine, type Paint, printable } from '../text.js'
import { callbackName, eventsOf, type HandedCallback } from './events.js'

interface ListenCommandOptions {
  readonly forwardTo: URL
  readonly sandbox?: URL
  readonly json?: true
}

/** The sandbox says every 15 s that it is there. */
const silenceMs = 45_000

export function listenCommand(io: Io): Command {
  return new Command('listen')
    .description('Take the callbacks of a sandbox to this machine.')
    .requiredOption('--forward-to <URL>', 'your handler, such as http://127.0.0.1:3000', httpOrigin)
    .option('--sandbox <URL>', 'the sandbox (default: GATEWAY_BASE_URL)', httpUrl)
    .option('--json', 'print one line of JSON for each callback')
    .action((options: ListenCommandOptions) => listen(options, io))
}

async function listen({ forwardTo, sandbox: named, json }: ListenCommandOptions, io: Io): Promise<void> {
  const sandbox = sandboxAddress(named, io.env)
  const stop = new AbortController()
  void io.untilInterrupted().then(() => stop.abort())
  const silence = setTimeout(() => stop.abort(new Error('silence')), silenceMs)
  const inProgress = new Set<Promise<void>>()
  try {
    const { body } = await askSandbox(sandbox, 'callbacks', {
      headers: { [listenerHeader]: 'merchant-gateway-sandbox listen' },
      signal: stop.signal,
    })
    if (body === null) throw gone(sandbox)
    for await (const event of eventsOf(body, () => silence.refresh())) {
      if (event.kind === 'listening') {
        if (json === true) io.out(jsonLine({ listening: sandbox.origin, forwardTo: forwardTo.origin }))
        else io.note(`Callbacks of ${sandbox.origin} go to ${forwardTo.origin} until Ctrl-C.`)
      } else if (event.kind === 'replaced') {
        throw new CommandFailed(
          'somebody else listens to this sandbox now and takes its callbacks. End that one and run listen again to have them here.',
          exitCodes.refused,
        )
      } else {
        const forwarding = handOn(event.callback, { forwardTo, sandbox, json }, io)
        inProgress.add(forwarding)
        void forwarding.finally(() => inProgress.delete(forwarding))
      }
    }
    throw gone(sandbox)
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    // Ctrl-C is how it ends.
    if (stop.signal.reason?.name !== 'AbortError') throw gone(sandbox)
  } finally {
    clearTimeout(silence)
    stop.abort()
    await Promise.all(inProgress)
  }
  io.finish(exitCodes.ok)
}

function gone({ origin }: URL): CommandFailed {
  return new CommandFailed(
    `the sandbox at ${origin} has ended, or the connection to it was cut. Start the sandbox and run listen again.`,
    exitCodes.unreachable,
  )
}

interface Forwarding {
  readonly forwardTo: URL
  readonly sandbox: URL
  readonly json: true | undefined
}

async function handOn(
  callback: HandedCallback,
  { forwardTo, sandbox, json }: Forwarding,
  io: Io,
): Promise<void> {
  const { body, ...shown } = await forward(callback, forwardTo)
  const about = callbackName(callback.url)
  io.out(json === true ? jsonLine({ about, ...shown }) : printable(`${about} `) + lineOf(shown, io.paint))
  const { status, problem } = shown
  const answer = status === undefined ? { error: `Forwarded: ${problem}.` } : { status, body }
  try {
    await askSandbox(sandbox, `callbacks/${callback.key}`, posted(answer))
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    // The stream says so too, if the sandbox is gone; otherwise the callback is tried again.
    io.note(printable(`The response did not reach the sandbox: ${error.message}`))
  }
}

function httpOrigin(text: string): URL {
  const url = httpUrl(text)
  if (url.pathname === '/' && url.search === '' && url.hash === '') return url
  throw new CommandFailed(
    'URL must be a scheme, a host and a port alone, such as http://127.0.0.1:3000. The path of each callback stays as it is.',
  )
}

interface Forwarded {
  readonly tookMs: number
  readonly status?: number
  readonly problem?: string
}

const patienceMs = 10_000

export async function forward(
  { url, method, headers, body }: HandedCallback,
  forwardTo: URL,
): Promise<Forwarded & { readonly body?: string | undefined }> {
  const target = new URL(forwardTo)
  // Piece by piece: a path that begins with two slashes would name a host of its own.
  target.pathname = url.pathname
  target.search = url.search
  const content = body === '' || /^(?:GET|HEAD)$/.test(method) ? {} : { body }
  const start = performance.now()
  const tookMs = () => Math.round(performance.now() - start)
  try {
    return await limited({ ms: patienceMs }, async (signal) => {
      // Where a redirect leads, the gateway would not go either.
      const response = await fetch(target, { method, headers, ...content, redirect: 'manual', signal })
      return { tookMs: tookMs(), status: response.status, body: await beginningOf(response) }
    })
  } catch (error) {
    return { tookMs: tookMs(), problem: networkProblem(error) }
  }
}

function lineOf({ status, tookMs, problem }: Forwarded, paint: Paint): string {
  if (status === undefined) return `${paint('red', 'no response')} after ${tookMs} ms: ${problem}`
  return `${paint(status >= 200 && status < 300 ? 'green' : 'red', String(status))} in ${tookMs} ms`
}

function sandboxAddress(named: URL | undefined, env: Environment): URL {
  if (named !== undefined) return named
  const { GATEWAY_BASE_URL = '' } = env
  if (URL.canParse(GATEWAY_BASE_URL)) return new URL(GATEWAY_BASE_URL)
  throw new CommandFailed(
    'give --sandbox with the address of a sandbox, or set GATEWAY_BASE_URL to it. "merchant-gateway-sandbox" starts one.',
  )
}

/** @throws when no sandbox responds, or it does not trust this caller ({@link CommandFailed}). */
async function askSandbox(sandbox: URL, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(sandbox, path, init)
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  const said = isObject(answer) && response.status !== 403 ? answer.message : undefined
  if (typeof said === 'string') throw new CommandFailed(said, exitCodes.refused)
  throw strangerOf(sandbox, response.status)
}

function posted(body: unknown): RequestInit {
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
      `no sandbox responds at ${origin}: ${networkProblem(error)}. "merchant-gateway-sandbox" starts one.`,
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
