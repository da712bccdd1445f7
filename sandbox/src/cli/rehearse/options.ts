import { type Command, Option } from 'commander'
import { someText } from '../../../../src/cli/arguments.js'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import { hostOf, readAct, showsSecret } from '../../rehearse/act-text.js'
import { type Case, caseNamed, cases } from '../../rehearse/cases.js'
import type { ApplicationSettings } from './application.js'

/** The options that say what the application is; `rehearse` and `sandbox` have them alike. */
export interface ApplicationOptions {
  readonly start?: string
  readonly act?: string
  readonly status?: string
  readonly paid?: string
  readonly ready?: string
  readonly before?: string
  /** In seconds. */
  readonly patience?: number
}

export const usualPatienceSecs = 5

const flags = {
  start: '--start <COMMAND>',
  ready: '--ready <URL>',
  before: '--before <ACT>',
  act: '--act <ACT>',
  status: '--status <URL>',
  paid: '--paid <TEXT>',
} as const

/** The options that say what the application is, where there is a line for each. */
export function withApplicationOptions(command: Command): Command {
  return command
    .option(flags.start, 'starts your application', someText)
    .option(flags.ready, 'where it listens then (default: where --act leads)', someText)
    .option(flags.before, 'what goes before the act, such as a paid order', someText)
    .option(flags.act, 'what a customer does to cart {n}: a command or request', someText)
    .option(flags.status, 'says whether cart {n} is paid', someText)
    .option(flags.paid, 'what its answer contains then', someText)
}

/** The same, where the help has no room for a line each: it names them all. */
export function withBriefApplicationOptions(command: Command): Command {
  for (const flag of Object.values(flags)) command.addOption(new Option(flag).argParser(someText).hideHelp())
  return command.addHelpText(
    'after',
    '\nFor the page, as in rehearse: --start --ready --before --act --status --paid',
  )
}

/** @throws {CommandFailed} that names the option which is wrong, and doesn't repeat it */
export function readApplication(options: ApplicationOptions): ApplicationSettings {
  const { start, status, paid, patience = usualPatienceSecs } = options
  const texts = {
    '--act': options.act,
    '--before': options.before,
    '--start': start,
    '--status': status,
    '--ready': options.ready,
  }
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined && showsSecret(text)) {
      throw new CommandFailed(
        `${name} holds a key or a token itself; put it into an environment variable, which a command can name.`,
      )
    }
  }
  if (options.act === undefined) {
    throw new CommandFailed(
      'give --act: what a customer does, such as "curl -X POST localhost:3000/orders/{n}".',
    )
  }
  const act = readAct(options.act)
  const before = options.before === undefined ? undefined : readAct(options.before)
  checkAddress('--status', status)
  checkAddress('--ready', options.ready)
  if (act.kind === 'http') checkAddress('--act', act.url)
  if (before?.kind === 'http') checkAddress('--before', before.url)
  const args = argumentsOf(options)
  return { start, act, before, status, paid, ready: readyAt(options), patienceMs: patience * 1000, args }
}

function readyAt({ start, ready, act, status }: ApplicationOptions) {
  if (start === undefined) return undefined
  if (ready !== undefined) {
    const found = hostOf(ready)
    if (found === undefined)
      throw new CommandFailed('--ready must be an address of this machine, with its port.')
    return found
  }
  return hostOf(act ?? '') ?? hostOf(status ?? '')
}

function checkAddress(option: string, text: string | undefined): void {
  if (text === undefined) return
  const sample = text.replaceAll('{n}', '1')
  if (!URL.canParse(sample) || !/^https?:$/.test(new URL(sample).protocol)) {
    throw new CommandFailed(`${option} must hold an http or https address.`)
  }
  const { username, password } = new URL(sample)
  if (username !== '' || password !== '') throw new CommandFailed(`${option} must not hold a password.`)
}

/** The cases that are meant: names with commas between them; all without them, or by `all`. */
export function readCases(text: string | undefined): readonly Case[] {
  if (text === undefined || text.trim() === 'all') return cases
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'clean')
  return names.map((name) => {
    const found = caseNamed(name)
    if (found === undefined)
      throw new CommandFailed('--cases names a case that there is not; --list shows all.')
    return found
  })
}

/** What names the same application again. */
function argumentsOf({ patience = usualPatienceSecs, ...options }: ApplicationOptions): string[] {
  const { start, before, act, status, paid, ready } = options
  const given = {
    '--start': start,
    '--before': before,
    '--act': act,
    '--status': status,
    '--paid': paid,
    '--ready': ready,
    '--patience': String(patience),
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
}
