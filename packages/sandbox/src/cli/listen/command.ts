import { Command } from 'commander'
import { CommandFailed, exitCodes } from '../../../../cli/src/exit-codes.js'
import type { Io } from '../../../../cli/src/io.js'
import { jsonLine, printable } from '../../../../cli/src/text.js'
import { httpUrl } from '../../../../cli/src/urls.js'
import { beginningOf } from '../../gateway/callbacks/delivery.js'
import { listenerHeader } from '../../page/api/http/forward.js'
import { lineOfSent, sendOne } from '../callback-send.js'
import { askSandbox, sandboxAddress } from '../sandbox-control.js'
import { callbackName } from './callback-name.js'
import { eventsOf, type HandedCallback } from './events.js'

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
    .addHelpText('after', help)
    .action((options: ListenCommandOptions) => listen(options, io))
}

const help = `
Scheme, host and port of each callbackUrl become those of --forward-to; path
and query stay, since they name the payment. What your handler answers is what
the sandbox takes for the answer; while nobody listens, it delivers by itself.`

async function listen({ forwardTo, sandbox: named, json }: ListenCommandOptions, io: Io): Promise<void> {
  const sandbox = sandboxAddress(named, io.env)
  const stop = new AbortController()
  void io.untilInterrupted().then(() => stop.abort())
  const silence = setTimeout(() => stop.abort(new Error('silence')), silenceMs)
  const underWay = new Set<Promise<void>>()
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
          'somebody else listens to this sandbox now and takes its callbacks; end that one and run listen again to have them here.',
          exitCodes.refused,
        )
      } else {
        const forwarding = forward(event.callback, { forwardTo, sandbox, json }, io)
        underWay.add(forwarding)
        void forwarding.finally(() => underWay.delete(forwarding))
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
    await Promise.all(underWay)
  }
  io.finish(exitCodes.ok)
}

function gone({ origin }: URL): CommandFailed {
  return new CommandFailed(
    `the sandbox at ${origin} has ended, or the connection to it was cut, so callbacks come here no more; start the sandbox and run listen again.`,
    exitCodes.unreachable,
  )
}

interface Forwarding {
  readonly forwardTo: URL
  readonly sandbox: URL
  readonly json: true | undefined
}

async function forward(
  { key, url, method, headers, body }: HandedCallback,
  { forwardTo, sandbox, json }: Forwarding,
  io: Io,
): Promise<void> {
  const target = new URL(forwardTo)
  // Piece by piece: a path that begins with two slashes would name a host of its own.
  target.pathname = url.pathname
  target.search = url.search
  let answerBody: string | undefined
  const sent = await sendOne(target, { method, headers, body }, async (response) => {
    answerBody = await beginningOf(response)
  })
  const about = callbackName(url)
  io.out(json === true ? jsonLine({ about, ...sent }) : printable(`${about} `) + lineOfSent(sent, io))
  const answer =
    sent.status === undefined
      ? { error: `Forwarded: ${sent.problem}.` }
      : { status: sent.status, body: answerBody }
  try {
    await askSandbox(sandbox, `callbacks/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    })
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    // The stream says so too, if the sandbox is gone; otherwise the callback is tried again.
    io.note(printable(`The answer did not reach the sandbox: ${error.message}`))
  }
}

/** Scheme, host and port. */
function httpOrigin(text: string): URL {
  const url = httpUrl(text)
  if (url.pathname === '/' && url.search === '' && url.hash === '') return url
  throw new CommandFailed(
    'URL must be a scheme, a host and a port alone, such as http://127.0.0.1:3000: the path of each callback stays as it is.',
  )
}
