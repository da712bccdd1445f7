import { Command } from 'commander'
import { listenerHeader } from '../../page/api/http/forward.js'
import { httpUrl } from '../arguments.js'
import { CommandFailed, exitCodes } from '../failure.js'
import type { Io } from '../io.js'
import { askSandbox, posted, sandboxAddress } from '../sandbox-api.js'
import { jsonLine, printable } from '../text.js'
import { callbackName } from './callback-name.js'
import { eventsOf, type HandedCallback } from './events.js'
import { forward, lineOf } from './forwarded.js'

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
