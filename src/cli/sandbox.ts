import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { Sandbox, SandboxOptions, SandboxServer } from '../sandbox/index.js'
import { anotherPath, someText, wholeNumber } from './arguments.js'
import { CommandFailed, exitCodes } from './exit-codes.js'
import { readText } from './files.js'
import type { Io } from './io.js'
import { publicKeyOf } from './keys.js'
import { jsonLine, shellQuoted } from './text.js'

interface ServeOptions {
  readonly port: number
  readonly seed?: string
  readonly merchantCode?: string
  readonly publicKey?: readonly string[]
  readonly strictness?: NonNullable<SandboxOptions['strictness']>
  readonly limiter?: NonNullable<SandboxOptions['limiter']>
  readonly rateLimit?: number | false
  readonly page: boolean
  readonly json?: true
}

/** What a client has to know of the sandbox. */
export interface Served {
  readonly baseUrl: string
  readonly merchantCode: string
  /** Absent where the merchant's own key signs. */
  readonly privateKeyFile?: string
  /** Absent without a page. */
  readonly page?: string
}

const strictnesses = ['specification', 'generous']
const limiters = ['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced']

export function sandboxCommand(io: Io): Command {
  return new Command('sandbox')
    .description('Serve the gateway on this machine until Ctrl-C.')
    .option('--port <PORT>', 'where to listen; 0 takes a free port', wholeNumber(0, 65_535), 0)
    .option('--seed <SEED>', 'make references and token ids repeatable')
    .option('--merchant-code <CODE>', 'the merchant (default: SANDBOX-MERCHANT)', someText)
    .option('--public-key <FILE>', 'public PEM of your own key; may be given again', anotherPath)
    .addOption(new Option('--strictness <HOW>', 'how much answers show').choices(strictnesses))
    .addOption(new Option('--limiter <KIND>', 'how requests are counted').choices(limiters))
    .option('--rate-limit <N>', 'requests a second, or off (default: 10)', rateLimit)
    .option('--no-page', "serve the gateway without the sandbox's page")
    .option('--json', 'print one line of JSON in place of the text')
    .action(async (options: ServeOptions) => serve(options, io))
}

async function serve(options: ServeOptions, io: Io): Promise<void> {
  // Half of the package, and only this command needs it.
  const { createSandbox } = await import('../sandbox/index.js')
  const sandbox = createSandbox(sandboxOptions(options))
  try {
    const server = await listen(sandbox, options)
    const served = describe(sandbox, server, options, io)
    // Before the lines are out: whoever reads them may end it at once.
    const interrupted = io.untilInterrupted()
    // In one piece: a reader that takes the first line only does not end the sandbox.
    io.out(options.json === true ? jsonLine(served) : linesOf(served).join('\n'))
    await interrupted
  } finally {
    await sandbox.close()
  }
  io.note('The sandbox has ended.')
  io.finish(exitCodes.ok)
}

function sandboxOptions({
  seed,
  merchantCode,
  publicKey = [],
  strictness,
  limiter,
  rateLimit,
}: ServeOptions): SandboxOptions {
  return {
    publicKeys: publicKey.map((file) => publicKeyOf(readText(file), file)),
    ...(seed === undefined ? {} : { seed }),
    ...(merchantCode === undefined ? {} : { merchantCode }),
    ...(strictness === undefined ? {} : { strictness }),
    ...(limiter === undefined ? {} : { limiter }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
}

async function listen(sandbox: Sandbox, { port, page }: ServeOptions): Promise<SandboxServer> {
  try {
    return await sandbox.listen({ port, page })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new CommandFailed(`port ${port} is taken; give another --port, or 0 for a free one.`)
    if (code === 'EACCES') throw new CommandFailed(`port ${port} may not be used; give a --port above 1023.`)
    throw error
  }
}

function describe(sandbox: Sandbox, { url }: SandboxServer, options: ServeOptions, io: Io): Served {
  const page = options.page ? { page: `${url}/_sandbox/` } : {}
  if (options.publicKey !== undefined) {
    // Not asked for its own key: then there is none, and only the merchant's signs.
    return { baseUrl: url, merchantCode: options.merchantCode ?? 'SANDBOX-MERCHANT', ...page }
  }
  const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return { baseUrl, merchantCode, privateKeyFile: temporaryFile('private-key.pem', pem, io), ...page }
}

/** A file that only this user can read, gone when the process is. */
function temporaryFile(name: string, content: string | Buffer, io: Io): string {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-'))
  io.onExit(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
  return file
}

/** Ready to be pasted into a POSIX shell. */
export function linesOf({ baseUrl, merchantCode, privateKeyFile, page }: Served): string[] {
  const key =
    privateKeyFile === undefined
      ? ['# GATEWAY_PRIVATE_KEY_FILE: the private half of your own key signs']
      : [`export GATEWAY_PRIVATE_KEY_FILE=${shellQuoted(privateKeyFile)}`]
  return [
    `# The sandbox gateway listens on ${baseUrl}, for this machine only.`,
    ...(page === undefined ? [] : [`# Its page: ${page}`]),
    `export GATEWAY_BASE_URL=${shellQuoted(baseUrl)}`,
    `export GATEWAY_MERCHANT_CODE=${shellQuoted(merchantCode)}`,
    ...key,
    '# Ctrl-C ends it.',
  ]
}

function rateLimit(text: string): number | false {
  return text === 'off' ? false : wholeNumber(1, 100_000)(text)
}
