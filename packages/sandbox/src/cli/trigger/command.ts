import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { isObject } from '../../common/json.js'
import { nearest } from '../../common/nearest.js'
import { finalStatuses } from '../../gateway/payments/payment.js'
import { currencyCode, httpUrl, someText } from '../arguments.js'
import { CommandFailed, exitCodes } from '../failure.js'
import type { Io } from '../io.js'
import { askForObject, posted, sandboxAddress } from '../sandbox-api.js'
import { jsonLine, printable, wrapped } from '../text.js'
import { type TriggerCase, triggerCases } from './cases.js'

interface TriggerOptions {
  readonly payout?: true
  readonly id?: string
  readonly currency: string
  readonly callbackUrl?: URL
  readonly sandbox?: URL
  readonly json?: true
}

/** How long to wait for the end of a payment that comes to one by itself. */
const patienceMs = 3000
const askAgainMs = 50

export function triggerCommand(io: Io): Command {
  return new Command('trigger')
    .description('Make a payment of a sandbox that goes as its name says.')
    .argument('<CASE>', 'one of those below', caseOf)
    .option('--payout', 'a payout in place of a payin')
    .option('--id <ID>', 'its id (default: a new one)', someText)
    .option('--currency <CODE>', 'currency', currencyCode, 'EUR')
    .option('--callback-url <URL>', 'its callbackUrl (default: none)', httpUrl)
    .option('--sandbox <URL>', 'the sandbox (default: GATEWAY_BASE_URL)', httpUrl)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', help)
    .action((which: TriggerCase, options: TriggerOptions) => trigger(which, options, io))
}

const help = `
${wrapped(`Cases: ${triggerCases.map(({ name }) => name).join(', ')}.`, 72, 0).join('\n')}`

function caseOf(name: string): TriggerCase {
  const found = triggerCases.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = triggerCases.map((one) => one.name)
  const meant = nearest(name, names)
  const instead = meant === undefined ? '"trigger --help" lists all.' : `did you mean ${meant}?`
  throw new CommandFailed(`there is no case of that name; ${instead}`)
}

/** Has the sandbox create it by its own page's API, which no gateway has: elsewhere this would be money. */
async function trigger(which: TriggerCase, options: TriggerOptions, io: Io): Promise<void> {
  const sandbox = sandboxAddress(options.sandbox, io.env)
  const isVirtual = await isVirtualWith(which, sandbox)
  const kind = options.payout === true ? 'payout' : 'payin'
  const id = options.id ?? `${which.name}-${randomUUID().slice(0, 8)}`
  const money = { amount: which.amount, currencyCode: options.currency }
  const callback = options.callbackUrl === undefined ? {} : { callbackUrl: options.callbackUrl.href }
  const create = () => askForObject(sandbox, 'create', posted({ kind, id, ...money, ...callback }))
  // A merchant sends a request that was lost or put off again, with the same id.
  const created = [await create()]
  if (created[0]?.held !== true) created.push(await create())
  const last = created.at(-1)
  if (last?.held !== true) throw new CommandFailed(String(last?.message), exitCodes.refused)
  const ask = () => statusOf(sandbox, `payments/${kind}/${encodeURIComponent(id)}`)
  const status = isVirtual ? await ask() : await moved(which, ask)
  const final = finalStatuses.has(status)
  if (options.json === true) io.out(jsonLine({ case: which.name, kind, id, status, final, money }))
  else {
    io.note(`${which.name}: ${which.meaning}`)
    const shown = final ? status : `${status} (not final)`
    io.out(printable(`${kind} ${id}, ${shown}, ${money.amount} ${money.currencyCode}`))
  }
  io.finish(exitCodes.ok)
}

/**
 * Whether the sandbox's clock stands still.
 *
 * @throws {CommandFailed} when it is no sandbox, or one without this case.
 */
async function isVirtualWith({ name, amount }: TriggerCase, sandbox: URL): Promise<boolean> {
  const { magic, clock } = await askForObject(sandbox, 'info')
  const has = (one: unknown) => isObject(one) && one.amount === amount
  if (name !== 'paid' && !(Array.isArray(magic) && magic.some(has))) {
    throw new CommandFailed(
      `the sandbox at ${sandbox.origin} has magic amounts of its own and not this one, so no payment was made; start it without the option magicAmounts, or create a payment of one of its amounts.`,
    )
  }
  return clock === 'virtual'
}

async function statusOf(sandbox: URL, path: string): Promise<string> {
  const { payment } = await askForObject(sandbox, path)
  return isObject(payment) ? String(payment.status) : 'no status'
}

/** Follows a payment to its end, or out of the status that it begins with where none comes soon. */
async function moved({ endsSoon }: TriggerCase, ask: () => Promise<string>): Promise<string> {
  const end = performance.now() + patienceMs
  const passing = endsSoon ? ['CREATED', 'PENDING'] : ['CREATED']
  let status = await ask()
  while (passing.includes(status) && performance.now() < end) {
    await pause(askAgainMs)
    status = await ask()
  }
  return status
}
