import { Command, InvalidArgumentError } from 'commander'
import { limiterKinds } from '../gateway/engine/limiter.js'
import { anotherPath, path, someText, wholeNumber } from './arguments.js'
import { exitCodes } from './failure.js'
import type { Io } from './io.js'
import { type SandboxFlags, sandboxOptions, withSentence } from './sandbox-options.js'
import {
  describe,
  linesOf,
  listen,
  listenNearby,
  ownKey,
  temporaryKey,
  usualPort,
  writeEnvFile,
} from './served.js'
import { jsonLine } from './text.js'

interface ServeOptions extends SandboxFlags {
  readonly port?: number
  readonly writeEnv?: string
  readonly page: boolean
}

export function serveCommand(io: Io): Command {
  return (
    new Command('sandbox')
      .description('Serve the gateway on this machine until Ctrl-C.')
      .option(
        '--port <PORT>',
        `0 takes any free one (default: ${usualPort}, or the next)`,
        wholeNumber(0, 65_535),
      )
      // Not --env-file: node takes that for its own, wherever it stands.
      .option('--write-env <FILE>', 'write the variables for node --env-file', path)
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
      .option('--pay-after <MS>', 'until a payment is final, or never (default: 1000)', payAfter)
      .option('--clock <KIND>', 'virtual: it stands still until it is moved', oneOf(['real', 'virtual']))
      .option(
        '--timestamp-unit <UNIT>',
        'of token requests (default: seconds)',
        oneOf(['seconds', 'milliseconds']),
      )
      .option('--options <FILE>', 'a file of JSON: the options of createSandbox', path)
      .option('--log', 'print one line for each request that comes')
      .option('--no-page', "serve the gateway without the sandbox's page")
      .option('--json', 'print one line of JSON in place of the text')
      .action((options: ServeOptions) => serve(options, io))
  )
}

async function serve(options: ServeOptions, io: Io): Promise<void> {
  // Half of the package, and only two of the commands need it.
  const { createSandbox } = await import('../index.js')
  const settings = sandboxOptions(options, io)
  const { port, page, writeEnv, publicKey, json } = options
  const hasOther = publicKey !== undefined || settings.privateKey !== undefined
  const key = hasOther ? undefined : ownKey(io.home)
  const sandbox = withSentence(() => createSandbox({ ...settings, ...(key && { privateKey: key.pem }) }))
  try {
    const keyFile = publicKey === undefined ? (key?.file ?? temporaryKey(sandbox, io)) : undefined
    const server = await (port === undefined
      ? listenNearby(sandbox, { page, keyFile })
      : listen(sandbox, { port, page, keyFile }))
    const served = describe(sandbox, server, { ...settings, page, publicKey, keyFile }, io)
    if (writeEnv !== undefined) writeEnvFile(writeEnv, served)
    const isMoved = port === undefined && server.port !== usualPort
    const notes = isMoved ? [`Port ${usualPort} is taken, so it is ${server.port}.`] : []
    // Before the lines are out: whoever reads them may end it at once.
    const interrupted = io.untilInterrupted()
    // In one piece: a reader that takes the first line only does not end the sandbox.
    io.out(json === true ? jsonLine(served) : linesOf(served, writeEnv, notes).join('\n'))
    await interrupted
  } finally {
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

function payAfter(text: string): number | false {
  return text === 'never' ? false : wholeNumber(0, 100_000_000_000, ' (milliseconds), or never')(text)
}

function rateLimit(text: string): number | false {
  return text === 'off' ? false : wholeNumber(1, 100_000, ', or off')(text)
}
