import { Command, InvalidArgumentError } from 'commander'
import { visible } from '../text.js'
import { type ApproveOptions, approve } from './approve.js'
import { serve } from './serve.js'
import { verify } from './verify.js'

/** The command line of `merchant-gateway-signer`. */
export function program(version: string): Command {
  const name = 'merchant-gateway-signer'
  const all = new Command(name)
    .description('Keep the key, and sign what a policy allows.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [COMMAND]', 'Print how a command is used.')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(shownError(text)) })
    .addHelpText('after', '\nExit codes: 0 done, 1 a log was changed, 2 wrong usage or settings.')
  all
    .command('serve')
    .description('Sign for others at a socket, until it is ended.')
    .requiredOption('--policy <FILE>', 'what is signed', path)
    .requiredOption('--socket <PATH>', 'the Unix socket to listen at', path)
    .option('--group', 'let the group of the socket ask as well (mode 0660)')
    .option('--log <FILE>', 'the decisions (default: the name of the policy, .log)', path)
    .addHelpText(
      'after',
      '\nThe key: GATEWAY_PRIVATE_KEY_FILE or GATEWAY_PRIVATE_KEY, of this process alone.',
    )
    .addHelpText('after', `Example: ${name} serve --policy policy.json --socket signer.sock`)
    .action(serve)
  all
    .command('approve')
    .description('Approve a payout that was refused by the rule "approval".')
    .argument('<ID>', 'the id of the payout')
    .requiredOption('--policy <FILE>', 'which names the file of approvals', path)
    .requiredOption('--money <MONEY>', 'the amount that is approved, such as "600 EUR"', money)
    .addHelpText('after', `\nExample: ${name} approve refund-1 --money '600 EUR' --policy policy.json`)
    .action(approve)
  all
    .command('verify')
    .description('Check that no line of a log was changed or taken away.')
    .argument('<LOG>', 'the log of a signer', path)
    .option('--head <HASH>', 'a hash that was kept: its line has to be in the log')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', `\nExample: ${name} verify policy.log`)
    .action(verify)
  return all
}

/** Somebody may have put the key itself in the place of its path. */
function path(text: string): string {
  if (!/-----(?:BEGIN|END) |^\W*(?:MII|eyJ)|[\r\n]|^.{1025}/.test(text)) return text
  throw new InvalidArgumentError('It holds a key or a token itself, and not the path of a file.')
}

function money(text: string): ApproveOptions['money'] {
  const [, amount = '', code = ''] = /^(\d{1,12}(?:\.\d{1,6})?) ?([A-Za-z]{3})$/.exec(text) ?? []
  if (Number(amount) > 0) return { amount, currencyCode: code.toUpperCase() }
  throw new InvalidArgumentError('It must be an amount and a currency, such as "10 EUR".')
}

/** commander repeats what was typed, which may be a key, a token or an account: only short words are shown. */
function shownError(text: string): string {
  const hidden = text
    .trimEnd()
    .replace(/'([^']*)'/g, (quoted, typed: string) =>
      /^-{0,2}[a-z-]{1,20}(?: <[A-Z]+>)?$/i.test(typed) ? quoted : "'…'",
    )
  return `${visible(hidden.replaceAll('\n', ' '))}\n`
}
