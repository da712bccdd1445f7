import { Command, InvalidArgumentError } from 'commander'
import { nearest } from '../../../../src/client/input/nearest.js'
import { moneyText, path, wholeNumber } from '../../../cli/src/arguments.js'
import type { Io } from '../../../cli/src/io.js'
import type { ApproveOptions } from './approve.js'
import type { StartOptions } from './start.js'

/** A process that has the key and signs what a policy allows. */
export function signerCommand(io: Io): Command {
  return new Command('signer')
    .description('Keep the key, and sign what a policy allows.')
    .usage('[COMMAND] [options]')
    .addCommand(startCommand(io), { isDefault: true })
    .addCommand(approveCommand(io))
    .addCommand(verifyCommand(io))
    .hook('preSubcommand', refuseMistyped)
}

/** A word that is no command would be one too many for the command by default. */
function refuseMistyped(signer: Command): void {
  const [word = '-'] = signer.args
  const names = signer.commands.map((command) => command.name())
  if (word.startsWith('-') || names.includes(word)) return
  const meant = nearest(word, names)
  signer.error(`error: unknown command '${word}'${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`)
}

function startCommand(io: Io): Command {
  return new Command('start')
    .description('Sign for others at a socket, until it is ended.')
    .requiredOption('--policy <FILE>', 'what is signed', path)
    .option('--socket <PATH>', 'the Unix socket to listen at', path)
    .option('--group', "let the socket's group ask as well (mode 0660)")
    .option('--port <PORT>', 'a port of 127.0.0.1, in place of a socket', wholeNumber(1, 65_535))
    .option('--log <FILE>', "the decisions (default: the policy's name, .log)", path)
    .option('--profile <FILE>', 'what the gateway was seen to do', path)
    .option('--accept-unkept-limits', "though it doesn't keep a token's money or id")
    .addHelpText(
      'after',
      `
The key: GATEWAY_PRIVATE_KEY_FILE or GATEWAY_PRIVATE_KEY, of this process alone.
With --port, clients have to show GATEWAY_SIGNER_TOKEN.`,
    )
    .action(async (options: StartOptions) => (await import('./start.js')).startSigner(options, io))
}

function approveCommand(io: Io): Command {
  return new Command('approve')
    .description('Approve a payout that was refused for want of it.')
    .argument('<ID>', "the payout's id")
    .requiredOption('--policy <FILE>', 'which names the file of approvals', path)
    .option('--log <FILE>', "of the signer (default: the policy's name, .log)", path)
    .option('--money <MONEY>', 'such as "600 EUR" (default: as the log has it)', moneyText)
    .option('--yes', 'without a question, of what --money says')
    .action(async (id: string, options: ApproveOptions) =>
      (await import('./approve.js')).approve(id, options, io),
    )
}

function verifyCommand(io: Io): Command {
  return new Command('verify')
    .description('Check that no line of a log was changed or taken away.')
    .argument('<LOG>', 'the log of a signer', path)
    .option('--head <HASH>', 'of a line that has to be in it', hash)
    .option('--json', 'print one line of JSON')
    .action(async (log: string, options: { head?: string; json?: true }) =>
      (await import('./verify.js')).verify(log, options, io),
    )
}

function hash(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a SHA-256 of 64 hex digits.')
}
