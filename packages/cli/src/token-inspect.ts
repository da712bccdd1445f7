import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Command } from 'commander'
import { type DecodedToken, GatewayClient } from '../../../src/index.js'
import { CommandFailed, exitCodes } from './exit-codes.js'
import type { Io } from './io.js'
import { standIns } from './stand-ins.js'
import { jsonLine, spanOf } from './text.js'

export function tokenCommand(io: Io): Command {
  const inspect = new Command('inspect')
    .description('Print what a token says of itself, unverified.')
    .argument(
      '[TOKEN]',
      'the token; - or nothing reads it from standard input,\nwhich keeps it out of the history',
      '-',
    )
    .option('--json', 'print one line of JSON')
    .action(async (argument: string, options: { readonly json?: true }) => {
      const token = bare(argument === '-' ? await readToken(io) : argument)
      // The client's method is the one that knows how.
      const decoded = new GatewayClient(standIns).authTokens.decode(token)
      if (options.json === true) io.out(jsonLine({ ...decoded, ...expiry(decoded, Date.now()) }))
      else for (const line of linesOf(decoded, Date.now())) io.out(line)
      io.finish(exitCodes.ok)
    })
  return new Command('token').description('Questions about tokens.').addCommand(inspect)
}

/** A token as it stands in headers, JSON and shell variables. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^authorization:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^(["'])(.*)\1$/, '$2')
}

/** Header and claims; the signature is what makes a token one, and is never shown. */
export function linesOf(token: DecodedToken, nowMs: number): string[] {
  const { issuedAt, expiresAt } = token
  const lines = [`header  ${jsonLine(token.header)}`, `claims  ${jsonLine(token.claims)}`]
  if (issuedAt !== undefined) lines.push(`issued  ${issuedAt.toISOString()}${ago(issuedAt, nowMs)}`)
  if (expiresAt !== undefined) lines.push(`expires ${expiresAt.toISOString()}${ago(expiresAt, nowMs)}`)
  return [...lines, 'Nothing of this is verified: only the gateway can tell whether the token is good.']
}

function ago(date: Date, nowMs: number): string {
  const awayMs = date.getTime() - nowMs
  return awayMs > 0 ? ` (in ${spanOf(awayMs)})` : ` (${spanOf(-awayMs)} ago)`
}

function expiry({ expiresAt }: DecodedToken, nowMs: number): { readonly expired?: boolean } {
  return expiresAt === undefined ? {} : { expired: expiresAt.getTime() <= nowMs }
}

const mostCharacters = 64 * 1024

async function readToken(io: Io): Promise<string> {
  const { input } = io
  if (input.isTTY === true) return readHidden(io)
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > mostCharacters) throw new CommandFailed('standard input holds more than a token.')
  }
  return text
}

/** One line of the keyboard that the terminal does not show. */
function readHidden(io: Io): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: io.input, output: nowhere, terminal: true })
    // Not before the terminal has stopped to echo.
    io.note('Paste the token and press Enter; it is not shown.')
    // The terminal is in raw mode: Ctrl-C comes as a key.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.on('close', () => reject(new CommandFailed('no token was given.')))
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
  })
}
