import { Command } from 'commander'
import { type GatewayClient, isGatewayError, isPaid, type PaymentKind } from '../../../../src/index.js'
import { anotherPath } from '../arguments.js'
import { CommandFailed, exitCodes, sentenceOf } from '../exit-codes.js'
import { askGateway, type GatewayCallOptions, withGatewayOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import { lineOfPayment, payinAnswer, payoutAnswer } from '../payment-get.js'
import { jsonLine, printable, wrapped } from '../text.js'
import { type Step, stepsOf } from './steps.js'
import { type Shown, type Verdict, verdictOf } from './verdict.js'

interface ExplainOptions extends GatewayCallOptions {
  readonly log?: readonly string[]
}

/** The life of one payment, by logs and by what the gateway shows now. */
export function explainCommand(io: Io): Command {
  const command = new Command('explain')
    .description('Tell what happened to a payment, and what to do.')
    .argument('<ID>', "the merchant's id of the payin or payout")
    .option('--log <FILE>', 'what paymentLog wrote; - is standard input; repeatable', anotherPath)
  return withGatewayOptions(command)
    .addHelpText('after', 'Without GATEWAY_BASE_URL the log alone is told.')
    .action((id: string, options: ExplainOptions) => explain(id, options, io))
}

async function explain(id: string, options: ExplainOptions, io: Io): Promise<void> {
  const { log = [], json } = options
  const asks = (io.env.GATEWAY_BASE_URL ?? '') !== ''
  if (log.length === 0 && !asks) {
    throw new CommandFailed('give --log FILE, or the credentials of the gateway in the environment, or both.')
  }
  const { readLogs } = await import('./read-log.js')
  const lines = await readLogs(log, id, io.input)
  const kinds = [...new Set(lines.map(({ kind }) => kind))]
  const lives = []
  for (const kind of kinds.length > 0 ? kinds : (['payin', 'payout'] as const)) {
    const own = lines.filter((line) => line.kind === kind)
    const shown = asks ? await ask(kind, id, own.length > 0, io) : undefined
    // An id that no log knows may be of either kind.
    if (own.length === 0 && shown?.state !== 'found') continue
    lives.push({ kind, id, steps: stepsOf(own), shown, ...verdictOf(kind, own, shown) })
  }
  if (lives.length === 0) {
    throw new CommandFailed(
      `nothing is known of this id: ${asks ? 'the gateway shows no payin and no payout under it, and ' : ''}no log names it.`,
      exitCodes.refused,
    )
  }
  for (const life of lives) {
    if (json === true) io.out(jsonLine({ ...life, gateway: life.shown, shown: undefined }))
    else for (const line of textOf(life, io.columns)) io.out(printable(line))
  }
  io.finish(exitCodes.ok)
}

async function ask(kind: PaymentKind, id: string, hasLog: boolean, io: Io): Promise<Shown> {
  try {
    return await askGateway(io, async (client: GatewayClient) => {
      if (kind === 'payin') {
        const payin = await client.payins.retrieve(id)
        return { state: 'found', payment: payinAnswer(id, payin), paid: isPaid(payin) }
      }
      const payout = await client.payouts.retrieve(id)
      return { state: 'found', payment: payoutAnswer(id, payout), paid: isPaid(payout) }
    })
  } catch (error) {
    if (isGatewayError(error) && error.code === 'not_found') return { state: 'missing' }
    // An id that no log knows may be of either kind.
    if (!hasLog && isGatewayError(error)) {
      error.message = error.message.replace(`the ${kind} `, 'the payin or payout ')
    }
    if (!hasLog) throw error
    return { state: 'unanswered', why: sentenceOf(error).replace(/\.$/, '') }
  }
}

interface Life extends Verdict {
  readonly kind: PaymentKind
  readonly id: string
  readonly steps: readonly Step[]
  readonly shown: Shown
}

function textOf({ kind, id, steps, shown, money, advice }: Life, columns: number): string[] {
  const now =
    shown?.state === 'found'
      ? [`The gateway shows now: ${lineOfPayment(shown.payment)}`]
      : shown?.state === 'missing'
        ? [`The gateway shows no ${kind} under this id now (404).`]
        : []
  return [
    `${kind} ${id}`,
    ...steps.flatMap(({ time, process, text }) => wrapped(`${time} [${process}] ${text}`, columns, 2)),
    ...(steps.length === 0 ? ['There is no log of it: this is what the gateway alone shows.'] : []),
    ...now.flatMap((line) => wrapped(line, columns, 2)),
    ...wrapped(`Money: ${money}`, columns, 2),
    ...wrapped(`To do: ${advice}`, columns, 2),
  ]
}
