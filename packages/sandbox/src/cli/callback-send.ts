import { Command } from 'commander'
import { Limit } from '../../../../src/client/input/limit.js'
import { wholeNumber } from '../../../cli/src/arguments.js'
import { CommandFailed, type ExitCode, exitCodes } from '../../../cli/src/exit-codes.js'
import type { Io } from '../../../cli/src/io.js'
import { networkCode, networkProblem } from '../../../cli/src/network-problem.js'
import { jsonLine, spanOf } from '../../../cli/src/text.js'
import { httpUrl } from '../../../cli/src/urls.js'
import { callbackUrlOf } from './callback-url.js'
import type { Sent } from './command-output.js'

interface SendOptions {
  readonly payin?: string
  readonly payout?: string
  readonly body: string
  readonly times: number
  readonly json?: true
}

const patienceMs = 10_000
const headers = { 'content-type': 'application/json' }

const environmentHelp = `
Environment, with an ID: GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL, as
your handler has them.`

export function callbackCommand(io: Io): Command {
  const send = new Command('send')
    .description("Send a callback to the merchant's own handler.")
    .argument('[URL]', 'the callbackUrl of a payment, or any http(s) address', httpUrl)
    .option('--payin <ID>', 'in place of URL: that of this payin')
    .option('--payout <ID>', 'in place of URL: that of this payout')
    .option('--body <TEXT>', 'what it carries', '{}')
    .option('--times <N>', 'how often, one after the other', wholeNumber(1, 1000), 1)
    .option('--json', 'print one line of JSON for each')
    .addHelpText('after', environmentHelp)
    .action(async (address: URL | undefined, options: SendOptions) => {
      const url = addressOf(address, options, io)
      const all: Sent[] = []
      for (let sent = 0; sent < options.times; sent++) {
        const answer = await sendOne(url, { method: 'POST', headers, body: options.body })
        all.push(answer)
        io.out(options.json === true ? jsonLine(answer) : lineOfSent(answer, io))
      }
      io.finish(exitCodeOfSent(all))
    })
  return new Command('callback').description('Callbacks to your handler.').addCommand(send)
}

function addressOf(url: URL | undefined, { payin, payout }: SendOptions, { env }: Io): URL {
  const [address, ...others] = [
    ...(url === undefined ? [] : [() => url]),
    ...(payin === undefined ? [] : [() => callbackUrlOf({ idPayin: payin }, env)]),
    ...(payout === undefined ? [] : [() => callbackUrlOf({ idPayout: payout }, env)]),
  ]
  if (address !== undefined && others.length === 0) return address()
  throw new CommandFailed('give a URL, --payin ID or --payout ID, and one of them only.')
}

/** What is sent to a merchant's handler. */
export interface HandlerRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends one callback, and says how it was answered; never rejects.
 *
 * @param onAnswer what becomes of the answer's body, which is thrown away by default
 */
export async function sendOne(
  url: URL,
  { method, headers, body }: HandlerRequest,
  onAnswer = async (response: Response): Promise<void> => response.body?.cancel(),
): Promise<Sent> {
  const content = body === '' || /^(?:GET|HEAD)$/.test(method) ? {} : { body }
  const start = performance.now()
  const tookMs = () => Math.round(performance.now() - start)
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...content,
      // Where a redirect leads, the gateway would not go either.
      redirect: 'manual',
      signal: new Limit({ ms: patienceMs }).signal,
    })
    const answered = { tookMs: tookMs(), status: response.status }
    await onAnswer(response)
    return answered
  } catch (error) {
    return { tookMs: tookMs(), problem: networkProblem(networkCode(error)) }
  }
}

export function lineOfSent({ status, tookMs, problem }: Sent, { paint }: Io): string {
  if (status === undefined) return `${paint('red', 'no answer')} after ${spanOf(tookMs)}: ${problem}`
  return `${paint(isSuccess(status) ? 'green' : 'red', String(status))} in ${spanOf(tookMs)}`
}

function exitCodeOfSent(all: readonly Sent[]): ExitCode {
  if (all.some(({ status }) => status === undefined)) return exitCodes.unreachable
  return all.every(({ status = 0 }) => isSuccess(status)) ? exitCodes.ok : exitCodes.refused
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
