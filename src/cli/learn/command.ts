import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { jsonOf } from '../../input/json-of.js'
import { differencesBetween } from '../../profile/differences-between.js'
import type { GatewayProfile } from '../../profile/profile.js'
import { readProfile } from '../../profile/read-profile.js'
import { path, wholeNumber } from '../arguments.js'
import { confirm } from '../confirm.js'
import { exitCodeOfFindings, type Finding, linesOf } from '../doctor/finding.js'
import { localFacts } from '../doctor/local-facts.js'
import { CommandFailed, type ExitCode, exitCodes } from '../exit-codes.js'
import { readText } from '../files.js'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { countOf } from '../plural.js'
import { jsonLine, printable } from '../text.js'
import { httpUrl } from '../urls.js'
import { usualPace } from './asker.js'
import { type LearnOptions, learn } from './learn.js'
import { Notebook } from './notebook.js'
import { type PaymentRequests, requestOf } from './payment-requests.js'
import { planOf } from './plan.js'
import { ProfileFile } from './profile-file.js'
import { Stop } from './stop.js'
import { tokenRequest } from './token-request.js'

interface CommandOptions {
  readonly out?: string
  readonly check?: string
  readonly yes?: true
  readonly force?: true
  readonly money?: PaymentRequests['money']
  readonly payin?: string
  readonly payout?: string
  readonly wait: number
  readonly callbackUrl?: URL
  readonly callbackPort?: number
  readonly customerAccountPath?: string
  readonly json?: true
}

const usualFile = 'gateway-profile.json'

export function learnCommand(io: Io): Command {
  return new Command('learn')
    .description('Write down what a test gateway does, as a profile.')
    .option('--out <FILE>', `what to write (default: ${usualFile})`, path)
    .option('--check <FILE>', 'compare with this profile, and write none', path)
    .option('--yes', 'make the payments without a question')
    .option('--force', 'with --yes: replace a file that is there')
    .option('--money <MONEY>', 'of each payment (default: "10 EUR")', money)
    .option('--payin <FILE>', 'JSON: the body of the payin, in place of ours', path)
    .option('--payout <FILE>', 'the same for the payout', path)
    .option('--wait <SECS>', "for a payment's end", wholeNumber(1, 600), 60)
    .option('--callback-url <URL>', 'what leads from the gateway to --callback-port', httpUrl)
    .option('--callback-port <PORT>', 'of this machine (default: a free one)', wholeNumber(1, 65_535))
    .option('--customer-account-path <PATH>', 'with {idPayin} in it, where you know it', accountPath)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', environmentHelp)
    .action((options: CommandOptions) => run(options, io))
}

async function run(options: CommandOptions, io: Io): Promise<void> {
  const { check, json, yes = false, force = false } = options
  const before = check === undefined ? undefined : profileIn(check)
  const out = options.out ?? (check === undefined ? usualFile : undefined)
  const settings = await settingsOf(options, io)
  const replaces = out !== undefined && existsSync(out)
  if (replaces && yes && !force) {
    throw new CommandFailed(
      `${out} is there already, so nothing was asked; give --force to replace it, or --check ${out} to compare with it.`,
    )
  }
  const writes =
    out === undefined ? 'nothing is written' : replaces ? `${out} is REPLACED` : `${out} is written`
  if (json !== true) for (const line of planOf(settings, writes)) io.note(line)
  await confirm(
    {
      question: 'Is it a test gateway, and may it be asked?',
      nobody:
        'nobody can be asked here whether it is a test gateway, so nothing was sent; give --yes if it is one.',
      no: 'nothing was sent.',
    },
    yes,
    io,
  )
  const file = out === undefined ? undefined : new ProfileFile(out)
  const learnt = await askAll(settings, io, file, json !== true)
  report(learnt, before, options, io)
}

/** How it went, and what is known now. */
interface Learnt {
  readonly profile: GatewayProfile
  readonly findings: readonly Finding[]
  readonly stop?: Stop
  /** Where the profile is; absent where none was written. */
  readonly file?: string
}

async function askAll(
  settings: LearnOptions,
  io: Io,
  file: ProfileFile | undefined,
  isPrinted: boolean,
): Promise<Learnt> {
  const notebook = new Notebook()
  const interruption = new AbortController()
  void io.untilInterrupted().then((code) => interruption.abort(new Stop('it was interrupted', code)))
  const findings: Finding[] = []
  let written: string | undefined
  const keep = (why: string) => {
    if (!notebook.isEmpty) written = file?.keep(notebook.profile(why))
  }
  try {
    for await (const finding of learn(settings, notebook, interruption.signal)) {
      findings.push(finding)
      if (isPrinted) for (const line of linesOf(finding, io.paint, io.columns)) io.out(line)
      keep('the run ended before it was asked')
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const why = `the run ended before it was seen: ${error.message}`
    keep(why)
    return {
      profile: notebook.profile(why),
      findings,
      stop: error,
      ...(written === undefined ? {} : { file: written }),
    }
  }
  const profile = notebook.profile('it was not asked')
  const finished = file?.finish(profile)
  return { profile, findings, ...(finished === undefined ? {} : { file: finished }) }
}

function report(
  { profile, findings, stop, file }: Learnt,
  before: GatewayProfile | undefined,
  { json, check }: CommandOptions,
  io: Io,
): void {
  const changes = before === undefined ? undefined : differencesBetween(before, profile)
  const unseen = Object.keys(profile.notSeen ?? {}).length
  const exitCode = exitCodeOf(stop, findings, changes)
  if (json === true) {
    const steps = findings.map(({ check, verdict, says, mend }) => ({ check, verdict, says, mend }))
    io.out(jsonLine({ ok: exitCode === exitCodes.ok, ended: stop?.message, file, changes, steps, profile }))
    io.finish(exitCode)
    return
  }
  for (const change of changes ?? []) io.out(printable(`changed  ${change}`))
  if (stop !== undefined) {
    const kept = file === undefined ? 'nothing was learnt' : `what was learnt until then is kept in ${file}`
    io.note(`${io.paint('red', 'error:')} ${printable(stop.message)}; ${kept}.`)
  } else if (changes !== undefined) {
    io.out(
      changes.length === 0
        ? `The gateway is as ${check} says.`
        : `${countOf(changes.length, 'change')} since ${check}.`,
    )
  }
  if (stop === undefined && file !== undefined) {
    io.out(`${file} is written; ${countOf(unseen, 'thing')} in it could not be seen, and "notSeen" says why.`)
  }
  io.finish(exitCode)
}

/** As the doctor's: nobody there is 3, anything else that is wrong is 1. A change is what --check looks for. */
function exitCodeOf(
  stop: Stop | undefined,
  findings: readonly Finding[],
  changes: readonly string[] | undefined,
): ExitCode {
  if (stop !== undefined) return stop.exitCode
  if (changes !== undefined && changes.length > 0) return exitCodes.refused
  return exitCodeOfFindings(findings)
}

/** @throws for settings that are wrong, before anything is sent. */
async function settingsOf(options: CommandOptions, { env }: Io): Promise<LearnOptions> {
  const { money = { amount: 10, currencyCode: 'EUR' }, callbackPort = 0 } = options
  const { payin, payout, wait, callbackUrl, customerAccountPath } = options
  const facts = localFacts(env)
  const unit = facts.timestamp.unit
  await tokenRequest(env, { unit, aheadMs: 0, validitySecs: 900 }, { operations: ['GET /merchant-info'] })
  if (!facts.checksCertificates) {
    throw new CommandFailed('NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way could read tokens; unset it.')
  }
  const baseUrl = new URL(env.GATEWAY_BASE_URL ?? '')
  const isHere = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(baseUrl.hostname)
  return {
    env,
    baseUrl,
    unit,
    kind: facts.key.kind,
    requests: {
      money,
      ...(payin === undefined ? {} : { payin: requestOf(payin, '--payin') }),
      ...(payout === undefined ? {} : { payout: requestOf(payout, '--payout') }),
    },
    ...(callbackUrl === undefined && !isHere
      ? {}
      : {
          callbacks: { port: callbackPort, ...(callbackUrl === undefined ? {} : { url: callbackUrl.href }) },
        }),
    ...(customerAccountPath === undefined ? {} : { customerAccountPath }),
    waitMs: wait * 1000,
    pace: usualPace,
  }
}

function profileIn(file: string): GatewayProfile {
  const json = jsonOf(readText(file))
  // What a parser would say repeats what is in the file.
  if (json === undefined) {
    throw new CommandFailed('--check must name a profile: a file of JSON that "learn" has written.')
  }
  return readProfile(json)
}

function money(text: string): PaymentRequests['money'] {
  const [, amount = '', currencyCode = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{3})$/.exec(text) ?? []
  if (Number(amount) > 0) return { amount: Number(amount), currencyCode: currencyCode.toUpperCase() }
  throw new InvalidArgumentError('It must be an amount and a currency, such as "10 EUR".')
}

function accountPath(text: string): string {
  if (/^\/[^\s?#\\{}]*\{idPayin\}[^\s?#\\{}]*$/.test(text)) return text
  throw new InvalidArgumentError('It must be a path such as /payins/{idPayin}/account.')
}
