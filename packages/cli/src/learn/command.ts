import { Command, InvalidArgumentError } from 'commander'
import { moneyArgument, path, wholeNumber } from '../arguments.js'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { httpUrl } from '../urls.js'
import { type LearnCommandOptions, usualFile } from './settings.js'

export function learnCommand(io: Io): Command {
  return new Command('learn')
    .description('Write down what a test gateway does, as a profile.')
    .option('--out <FILE>', `what to write (default: ${usualFile})`, path)
    .option('--check <FILE>', 'compare with this profile, and write none', path)
    .option('--yes', 'make the payments without a question')
    .option('--force', 'with --yes: replace a file that is there')
    .option('--money <MONEY>', 'of each payment (default: "10 EUR")', moneyArgument)
    .option('--payin <FILE>', 'JSON: the body of the payin, in place of ours', path)
    .option('--payout <FILE>', 'the same for the payout', path)
    .option('--assume-test', 'pay out though the payin says no isTest: true')
    .option('--wait <SECS>', "for a payment's end", wholeNumber(1, 600), 60)
    .option('--callback-url <URL>', 'what leads from the gateway to --callback-port', httpUrl)
    .option('--callback-port <PORT>', 'of this machine (default: a free one)', wholeNumber(1, 65_535))
    .option('--customer-account-path <PATH>', 'with {idPayin} in it, where you know it', accountPath)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', environmentHelp)
    .action(async (options: LearnCommandOptions) => (await import('./run.js')).runLearn(options, io))
}

function accountPath(text: string): string {
  if (/^\/[^\s?#\\{}]*\{idPayin\}[^\s?#\\{}]*$/.test(text)) return text
  throw new InvalidArgumentError('It must be a path such as /payins/{idPayin}/account.')
}
