import { Command, InvalidArgumentError } from 'commander'
import { anotherPath, path, someText, wholeNumber } from '../../../cli/src/arguments.js'
import { CommandFailed, exitCodes } from '../../../cli/src/exit-codes.js'
import type { Io } from '../../../cli/src/io.js'
import { jsonLine } from '../../../cli/src/text.js'
import { limiterKinds } from '../gateway/engine/limiter.js'
import type { Served } from './command-output.js'
import { Application } from './rehearse/application.js'
import { type ApplicationOptions, readApplication, withBriefApplicationOptions } from './rehearse/options.js'
import { environmentOf } from './rehearse/sandbox.js'
import { type SandboxFlags, sandboxOptions, withSentence } from './sandbox-options.js'
import { describe, linesOf, listen } from './served.js'

interface ServeOptions extends ApplicationOptions, SandboxFlags {
  readonly port: number
  readonly page: boolean
}

export function sandboxCommand(io: Io): Command {
  const command = new Command('sandbox')
    .description('Serve the gateway on this machine until Ctrl-C.')
    .option('--port <PORT>', 'where to listen; 0 takes a free port', wholeNumber(0, 65_535), 0)
    .option('--seed <SEED>', 'make references and token ids repeatable')
    .option('--merchant-code <CODE>', 'the merchant (default: SANDBOX-MERCHANT)', someText)
    .option('--public-key <FILE>', 'public PEM of your own key; may be given again', anotherPath)
    .option(
      '--strictness <HOW>',
      'generous (the default), or specification',
      oneOf(['generous', 'specification']),
    )
    .option('--limiter <KIND>', 'how requests are counted, such as evenly-spaced', oneOf(limiterKinds))
    .option('--rate-limit <N>', 'requests a second, or off (default: 10)', rateLimit)
    .option('--settle-after <MS>', 'until a payment is final, or never (default: 1000)', settleAfter)
    .option('--clock <KIND>', 'virtual: it stands still until it is moved', oneOf(['real', 'virtual']))
    .option(
      '--timestamp-unit <UNIT>',
      'of token requests (default: seconds)',
      oneOf(['seconds', 'milliseconds']),
    )
    .option('--profile <FILE>', 'the gateway to play, as "learn" has written it', path)
    .option('--options <FILE>', 'a file of JSON: the options of createSandbox', path)
    .option('--log', 'print one line for each request that comes')
    .option('--no-page', "serve the gateway without the sandbox's page")
    .option('--json', 'print one line of JSON in place of the text')
  return withBriefApplicationOptions(command).action(async (options: ServeOptions) => serve(options, io))
}

async function serve(options: ServeOptions, io: Io): Promise<void> {
  let served: Served | undefined
  const notServed: Served = { baseUrl: '', merchantCode: '', timestampUnit: 'seconds' }
  const { start, act, status } = options
  const isNamed = [start, act, status].some((option) => option !== undefined)
  const application = isNamed
    ? new Application(readApplication(options), io, () => environmentOf(served ?? notServed, io.env))
    : undefined
  // Half of the package, and only this command needs it.
  const { createSandbox } = await import('../index.js')
  const settings = sandboxOptions(options, io)
  const sandbox = withSentence(() => createSandbox(settings))
  try {
    const { port, page } = options
    const server = await listen(sandbox, { port, page, ...(application && { application }) })
    served = describe(sandbox, server, { ...settings, page, publicKey: options.publicKey }, io)
    // Before the lines are out: whoever reads them may end it at once.
    const interruption = new AbortController()
    const interrupted = io
      .untilInterrupted()
      .then(() => interruption.abort(new CommandFailed('interrupted.')))
    await application?.open(interruption.signal)
    // In one piece: a reader that takes the first line only does not end the sandbox.
    io.out(options.json === true ? jsonLine(served) : linesOf(served).join('\n'))
    await interrupted
  } finally {
    await application?.close()
    await sandbox.close()
  }
  io.note('The sandbox has ended.')
  io.finish(exitCodes.ok)
}

function oneOf<const Text extends string>(texts: readonly Text[]): (text: string) => Text {
  return (text) => {
    const found = texts.find((one) => one === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`It must be ${texts.join(' or ')}.`)
  }
}

function settleAfter(text: string): number | false {
  return text === 'never' ? false : wholeNumber(0, 100_000_000_000, ' (milliseconds), or never')(text)
}

function rateLimit(text: string): number | false {
  return text === 'off' ? false : wholeNumber(1, 100_000, ', or off')(text)
}
