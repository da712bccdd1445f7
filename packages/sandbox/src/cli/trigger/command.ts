import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import { nearest } from '../../../../../src/client/input/nearest.js'
import { isObject } from '../../../../../src/client/input/own.js'
import { GatewayClient, isGatewayError, type PaymentLike, statusOf } from '../../../../../src/index.js'
import { currencyCode, someText } from '../../../../cli/src/arguments.js'
import type { PaymentAnswer } from '../../../../cli/src/command-output.js'
import { CommandFailed, exitCodes } from '../../../../cli/src/exit-codes.js'
import type { Environment, Io } from '../../../../cli/src/io.js'
import { lineOfPayment, payinAnswer, payoutAnswer } from '../../../../cli/src/payment-get.js'
import { jsonLine, wrapped } from '../../../../cli/src/text.js'
import { httpUrl } from '../../../../cli/src/urls.js'
import { callbackUrlOf } from '../callback-url.js'
import { sandboxAddress, sandboxInfo } from '../sandbox-control.js'
import { type TriggerCase, triggerCases } from './cases.js'

interface TriggerOptions {
  readonly payout?: true
  readonly id?: string
  readonly currency?: readonly string[]
  readonly callbackUrl?: URL
  readonly sandbox?: URL
  readonly json?: true
}

/** How long to wait for the end of a payment that comes to one by itself. */
const patienceMs = 3000

export function triggerCommand(io: Io): Command {
  return new Command('trigger')
    .description('Make a payment of a sandbox that goes as its name says.')
    .argument('<CASE>', 'one of those below', caseOf)
    .option('--payout', 'a payout in place of a payin')
    .option('--id <ID>', 'its id (default: a new one)', someText)
    .option('--currency <CODE>', 'currency (default: EUR)', currencyCode)
    .option('--callback-url <URL>', 'its callbackUrl (default: of your receiver)', httpUrl)
    .option('--sandbox <URL>', 'the sandbox (default: GATEWAY_BASE_URL)', httpUrl)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', help)
    .action((which: TriggerCase, options: TriggerOptions) => trigger(which, options, io))
}

const help = `
${wrapped(`Cases: ${triggerCases.map(({ name }) => name).join(', ')}.`, 72, 0).join('\n')}
Environment: as for payin get, and for the callbackUrl as for callback send.`

function caseOf(name: string): TriggerCase {
  const found = triggerCases.find((one) => one.name === name)
  if (found !== undefined) return found
  const meant = nearest(
    name,
    triggerCases.map((one) => one.name),
  )
  const instead = meant === undefined ? '"trigger --help" lists all.' : `did you mean ${meant}?`
  throw new CommandFailed(`there is no case of that name; ${instead}`)
}

/**
 * Through the gateway's own API, with a client as merchants have it: what a lost answer or a 429 does to one is
 * part of the case. At a sandbox only, whatever the environment names: elsewhere this would be money.
 */
async function trigger(which: TriggerCase, options: TriggerOptions, io: Io): Promise<void> {
  const sandbox = sandboxAddress(options.sandbox, io.env)
  const { isVirtual } = await sandboxWith(which, sandbox)
  const client = GatewayClient.fromEnv(
    { baseUrl: String(sandbox), fetch: globalThis.fetch, timeoutMs: 2000, deadlineMs: 20_000, retries: 3 },
    io.env,
  )
  try {
    const answer = await payment(which, options, client, isVirtual, io.env)
    if (options.json === true) io.out(jsonLine({ case: which.name, ...answer }))
    else {
      io.note(`${which.name}: ${which.meaning}`)
      io.out(lineOfPayment(answer))
    }
    io.finish(exitCodes.ok)
  } finally {
    await client.close()
  }
}

/** @throws {CommandFailed} when it is no sandbox, or one without this case. */
async function sandboxWith({ name, amount }: TriggerCase, sandbox: URL): Promise<{ isVirtual: boolean }> {
  const { magic, clock } = await sandboxInfo(sandbox, 'no payment was made')
  const has = (one: unknown) => isObject(one) && one.amount === amount
  if (name !== 'paid' && !magic.some(has)) {
    throw new CommandFailed(
      `the sandbox at ${sandbox.origin} has magic amounts of its own and not this one, so no payment was made; start it without the option magicAmounts, or create a payment of one of its amounts.`,
    )
  }
  return { isVirtual: clock === 'virtual' }
}

async function payment(
  { name, amount, endsSoon }: TriggerCase,
  { payout, id = `${name}-${randomUUID().slice(0, 8)}`, currency, callbackUrl }: TriggerOptions,
  client: GatewayClient,
  isVirtual: boolean,
  env: Environment,
): Promise<PaymentAnswer> {
  const paymentRequested = { money: { amount, currencyCode: currency?.at(0) ?? 'EUR' } }
  const callback = callbackUrl?.href ?? receiverUrl(payout ? { idPayout: id } : { idPayin: id }, env)
  const shared = { paymentRequested, ...(callback === undefined ? {} : { callbackUrl: callback }) }
  if (payout === true) {
    const account = { accountName: 'Test', accountNumber: '000000-0000000000' }
    const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', paymentOperatorCode: 'HARBOUR', account }
    await client.payouts.create({ ...shared, idPayout: id, paymentMethod })
    if (!isVirtual) await unlessLate(moved(client.payouts.watch(id, { maxWaitMs: patienceMs }), endsSoon))
    return payoutAnswer(id, await client.payouts.retrieve(id))
  }
  await client.payins.create({ ...shared, idPayin: id, paymentMethod: { paymentMethodCode: 'VAPAY' } })
  if (!isVirtual) await unlessLate(moved(client.payins.watch(id, { maxWaitMs: patienceMs }), endsSoon))
  return payinAnswer(id, await client.payins.retrieve(id))
}

function receiverUrl(
  id: { readonly idPayin: string } | { readonly idPayout: string },
  env: Environment,
): string | undefined {
  const { GATEWAY_CALLBACK_SECRET = '', GATEWAY_CALLBACK_URL = '' } = env
  if (GATEWAY_CALLBACK_SECRET.trim() === '' || GATEWAY_CALLBACK_URL.trim() === '') return undefined
  return callbackUrlOf(id, env).href
}

/** Follows a payment to its final status, or out of the status that it begins with. */
async function moved(seen: AsyncIterable<PaymentLike>, toItsEnd: boolean): Promise<void> {
  for await (const payment of seen) if (!toItsEnd && statusOf(payment) !== 'CREATED') return
}

/** A status that nobody knows is not final: what it is by then is shown. */
async function unlessLate(wait: Promise<unknown>): Promise<void> {
  try {
    await wait
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'wait_timeout') throw error
  }
}
