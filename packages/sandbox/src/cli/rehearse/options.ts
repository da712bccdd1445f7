import { type Command, Option } from 'commander'
import { moneyArgument, someText } from '../../../../cli/src/arguments.js'
import { CommandFailed } from '../../../../cli/src/exit-codes.js'
import { type ActText, addressProblem, hostOf, readAct, showsSecret } from '../../rehearse/act-text.js'
import type { Case } from '../../rehearse/case.js'
import { caseNamed, cases, interleavingNumbered } from '../../rehearse/cases.js'
import { usualWaits } from '../../rehearse/context.js'
import type { Money } from '../../rehearse/gateway.js'
import type { ApplicationSettings } from './application.js'

/** The options that say what the application is; `rehearse` and `sandbox` have them alike. */
export const applicationFlags = {
  start: ['<COMMAND>', 'starts your application'],
  ready: ['<URL>', 'where it listens then (default: where --act leads)'],
  before: ['<ACT>', 'what goes before the act, such as a paid order'],
  act: ['<ACT>', 'what a customer does to cart {n}: a command or request'],
  status: ['<URL|COMMAND>', 'says whether cart {n} is paid'],
  paid: ['<TEXT>', 'what its answer contains then, as in state=paid'],
  once: ['<TEXT>', 'what it contains when the cart was delivered 1 time'],
} as const

type ApplicationTexts = Readonly<Partial<Record<keyof typeof applicationFlags, string>>>

export interface ApplicationOptions extends ApplicationTexts {
  /** In seconds. */
  readonly patience?: number
}

/** The options that say what the application is, where there is a line for each. */
export function withApplicationOptions(command: Command): Command {
  for (const [name, [value, description]] of Object.entries(applicationFlags)) {
    command.option(`--${name} ${value}`, description, someText)
  }
  return command
}

/** The same, where the help has no room for a line each: it names them all. */
export function withBriefApplicationOptions(command: Command): Command {
  for (const [name, [value]] of Object.entries(applicationFlags)) {
    command.addOption(new Option(`--${name} ${value}`).argParser(someText).hideHelp())
  }
  const names = Object.keys(applicationFlags).map((name) => `--${name}`)
  return command.addHelpText('after', `\nFor the page, as rehearse: ${names.join(' ')}`)
}

/** @throws {CommandFailed} that names the option which is wrong, and doesn't repeat it */
export function readApplication(options: ApplicationOptions): ApplicationSettings {
  for (const name of ['act', 'before', 'start', 'status', 'ready'] as const) {
    if (showsSecret(options[name] ?? '')) {
      throw new CommandFailed(
        `--${name} holds a key or a token itself; put it into an environment variable, which a command can name.`,
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
  const { start, status, paid, once, patience } = options
  if (status !== undefined && paid === undefined) {
    throw new CommandFailed(
      '--status needs --paid: what the answer contains when the cart is paid, such as state=paid or a text.',
    )
  }
  if (once !== undefined && (status === undefined || !once.includes('1'))) {
    throw new CommandFailed(
      '--once is what the answer of --status contains when the cart was delivered 1 time, such as shipments=1.',
    )
  }
  const asked = status === undefined ? undefined : readQuestion(status)
  checkAddress('ready', options.ready)
  for (const [name, text] of Object.entries({ act, before, status: asked })) {
    if (text?.kind === 'http') checkAddress(name, text.url)
  }
  return {
    start,
    act,
    before,
    status: asked,
    marks: { paid: paid ?? '', once },
    ready: readyAt(options),
    patienceMs: patience === undefined ? usualWaits.patienceMs : patience * 1000,
    actText: options.act,
  }
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

/** An address has no blank in it; a command has, where it says for which cart. */
function readQuestion(status: string): ActText {
  return /\s/.test(status.trim())
    ? { kind: 'command', command: status.trim() }
    : { kind: 'http', method: 'GET', url: status, body: undefined }
}

function checkAddress(option: string, text: string | undefined): void {
  const problem = text === undefined ? undefined : addressProblem(text)
  if (problem === 'no address') throw new CommandFailed(`--${option} must hold an http or https address.`)
  if (problem === 'password') throw new CommandFailed(`--${option} must not hold a password.`)
}

/** A price as somebody writes it: an amount and a currency. */
function readPrice(text: string | undefined): Money | undefined {
  if (text === undefined) return undefined
  try {
    return moneyArgument(text.trim())
  } catch {
    throw new CommandFailed('--price must be an amount and a currency, such as "19.90 EUR".')
  }
}

/** What is played, and for which price. */
export interface Wanted {
  readonly cases: readonly Case[]
  /** The one round to play, of the one case. */
  readonly round?: number
  readonly price: Money | undefined
}

export function readWanted(options: {
  readonly cases?: string
  readonly interleaving?: number
  readonly price?: string
}): Wanted {
  const price = readPrice(options.price)
  if (options.interleaving === undefined) return { cases: readCases(options.cases), price }
  const found = interleavingNumbered(options.interleaving)
  if (found === undefined) throw new CommandFailed('--interleaving is the number that a verdict shows.')
  return { cases: [found.one], round: found.round, price }
}

/** The cases that are meant: names with commas between them; all without them, or by `all`. */
function readCases(text: string | undefined): readonly Case[] {
  if (text === undefined || text.trim() === 'all') return cases
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'clean')
  return names.map((name) => {
    const found = caseNamed(name)
    if (found === undefined) {
      const shown = /^[a-z-]{1,40}$/.test(name) ? `"${name}", which is no case` : 'a case that there is not'
      throw new CommandFailed(`--cases names ${shown}; --list shows all.`)
    }
    return found
  })
}
