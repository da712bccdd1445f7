import type { SandboxMoney } from '../../gateway/wire/money.js'
import {
  type ActionText,
  addressProblem,
  hostOf,
  readAction,
  showsSecret,
} from '../../rehearse/action-text.js'
import type { Case } from '../../rehearse/case.js'
import { cases } from '../../rehearse/cases.js'
import { usualWaits } from '../../rehearse/context.js'
import { CommandFailed } from '../failure.js'
import type { ApplicationSettings } from './application.js'

export const applicationFlags = {
  start: ['<COMMAND>', 'starts your application'],
  ready: ['<URL>', 'where it listens then (default: as --action)'],
  before: ['<ACTION>', 'what goes before it, such as a paid order'],
  action: ['<ACTION>', 'what a customer does: a command, or a request'],
  status: ['<URL|COMMAND>', 'says whether order {n} is paid'],
  paid: ['<TEXT>', 'what its response contains then, as in state=paid'],
  once: ['<TEXT>', 'what it contains when delivered 1 time'],
} as const

export type ApplicationOptions = Readonly<
  Partial<Record<keyof typeof applicationFlags, string>> & { patience?: number }
>

/** @throws naming the option which is wrong, and doesn't repeat it ({@link CommandFailed}) */
export function readApplication(options: ApplicationOptions): ApplicationSettings {
  for (const name of ['action', 'before', 'start', 'status', 'ready'] as const) {
    if (showsSecret(options[name] ?? '')) {
      throw new CommandFailed(
        `--${name} holds a key or a token itself. Put it into an environment variable, which a command can name.`,
      )
    }
  }
  if (options.action === undefined) {
    throw new CommandFailed(
      '--action is missing. Give what a customer does, such as "curl -X POST localhost:3000/orders/{n}".',
    )
  }
  const action = readAction(options.action)
  const before = options.before === undefined ? undefined : readAction(options.before)
  const { start, status, paid, once, patience } = options
  if (status !== undefined && paid === undefined) {
    throw new CommandFailed(
      '--status needs --paid. Give what the response contains when the order is paid, such as state=paid or a text.',
    )
  }
  if (once !== undefined && (status === undefined || !once.includes('1'))) {
    throw new CommandFailed(
      '--once needs --status and a 1. Give what the response contains when the order was delivered 1 time, such as shipments=1.',
    )
  }
  const asked = status === undefined ? undefined : readQuestion(status)
  checkAddress('ready', options.ready)
  for (const [name, text] of Object.entries({ action, before, status: asked })) {
    if (text?.kind === 'http') checkAddress(name, text.url)
  }
  return {
    start,
    action,
    before,
    status: asked,
    marks: { paid: paid ?? '', once },
    ready: readyAt(options),
    patienceMs: patience === undefined ? usualWaits.patienceMs : patience * 1000,
    actionText: options.action,
  }
}

function readyAt({ start, ready, action, status }: ApplicationOptions) {
  if (start === undefined) return undefined
  if (ready === undefined) return hostOf(action ?? '') ?? hostOf(status ?? '')
  const found = hostOf(ready)
  if (found !== undefined) return found
  throw new CommandFailed(
    '--ready is no address of this machine. Give one with its port, such as http://localhost:3000.',
  )
}

/** An address has no blank in it; a command has, where it says for which order. */
function readQuestion(status: string): ActionText {
  return /\s/.test(status.trim())
    ? { kind: 'command', command: status.trim() }
    : { kind: 'http', method: 'GET', url: status, body: undefined }
}

function checkAddress(option: string, text: string | undefined): void {
  const problem = text === undefined ? undefined : addressProblem(text)
  if (problem === 'no address')
    throw new CommandFailed(`--${option} holds no http or https address. Give one, or a command.`)
  if (problem === 'password')
    throw new CommandFailed(`--${option} holds a password. Give a command that reads it from a file.`)
}

/** A price as somebody writes it: an amount and a currency. */
export function readPrice(text: string | undefined): SandboxMoney | undefined {
  if (text === undefined) return undefined
  const [, amount = '', code = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{3})$/.exec(text.trim()) ?? []
  if (Number(amount) > 0) return { amount: Number(amount), currencyCode: code.toUpperCase() }
  throw new CommandFailed('--price is no amount with its currency. Give both, such as "19.90 EUR".')
}

export function readCases(text: string | undefined): readonly Case[] {
  if (text === undefined || text.trim() === 'all') return cases
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'clean')
  return names.map((name) => {
    const found = cases.find((one) => one.name === name)
    if (found === undefined) {
      const shown = /^[a-z-]{1,40}$/.test(name) ? `"${name}", which is no case` : 'a case that there is not'
      throw new CommandFailed(`--cases names ${shown}. Use --list to see all.`)
    }
    return found
  })
}
