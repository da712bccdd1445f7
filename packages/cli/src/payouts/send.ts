import { type AnyGatewayError, GatewayClient, isGatewayError } from 'merchant-gateway'
import { paymentJob } from 'merchant-gateway/jobs'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.js'
import type { GatewayCallOptions } from '../gateway-call.js'
import { moneyText, Sums } from '../input/amounts.js'
import { type Io, printError, printJson } from '../io.js'
import { confirm, progressOn } from '../prompt.js'
import { readBalances } from '../reconcile/balances.js'
import { countOf, shellQuoted } from '../text.js'
import { check, type FileOptions, plannedFile } from './checked-file.js'
import type { PlanOptions } from './line.js'
import { countsIn, type Plan, payoutLines, planOf } from './plan.js'
import { reportLines, writeReports } from './report.js'
import { resultsPath } from './results.js'
import { ResultsFile } from './results-file.js'
import { sendAll } from './send-all.js'
import { type Counts, stepOf, textOfCounts } from './states.js'

export interface SendOptions extends FileOptions, GatewayCallOptions, PlanOptions {
  readonly yes?: true
  readonly wait: boolean
  /** No other run is under way, whatever the results file says. */
  readonly forceUnlock?: true
}

/** How long those under way have after an interruption. The next run asks again for what has no response then. */
const graceMs = 15_000

/** A run of a file, from the question to the report. */
interface Sending {
  readonly path: string
  readonly options: SendOptions
  readonly io: Io
  readonly client: GatewayClient
  readonly file: ResultsFile
  readonly plan: Plan
}

/** Sends a file of payouts from this process, or goes on with it. */
export async function send(path: string, options: SendOptions, io: Io): Promise<void> {
  // Before anything is written: for a missing setting or file there need be no results file.
  await check(path, options)
  const client = GatewayClient.fromEnv({}, { GATEWAY_DEADLINE_MS: '60000', ...io.env })
  try {
    const file = await ResultsFile.open(resultsPath(path), options.forceUnlock)
    const forget = io.onExit(() => file.leave())
    try {
      const { results } = file
      const plan = await plannedFile(path, options, (lines) =>
        planOf(payoutLines(lines, results), results, options),
      )
      const sending = { path, options, io, client, file, plan }
      await agree(sending)
      const end = await run(sending)
      say(sending, end, writeReports(`${path}.report`, reportLines(path, plan.lines, results)))
    } finally {
      forget()
      await file.close()
    }
  } finally {
    await client.close()
  }
}

/** Says what is to be sent, and goes on when somebody says yes. */
async function agree(sending: Sending): Promise<void> {
  const { io, client, plan, options } = sending
  const { tasks, totals } = plan
  const isAsked = tasks.length > 0 && options.yes !== true
  if (options.json !== true) {
    const balances = isAsked && io.isInteractive ? await balancesOf(client, totals) : undefined
    for (const line of summaryOf(sending, balances))
      io.note(line.trimStart(), line.startsWith(' ') ? '  ' : '')
  }
  if (isAsked) await confirm(`Send ${countOf(tasks.length, 'payout')}?`, io)
}

/** How many lines of one kind are named. */
const mostNamed = 5

/** @param balances undefined where nobody is asked. */
function summaryOf({ path, plan, file }: Sending, balances: Sums | undefined): string[] {
  const { lines, tasks, totals, duplicates } = plan
  const gone = goneOf(plan)
  const more = duplicates.length - mostNamed
  return [
    `${path}: ${countOf(lines.length, 'payout')}, ${textOfCounts(countsIn(lines, file.results))}.`,
    ...(gone > 0
      ? [`${countOf(gone, 'payout')} of these may have been sent, and the file has the line no more.`]
      : []),
    ...(tasks.length > 0 ? ['To be sent, or followed to the end:'] : []),
    ...totals.map((total) => {
      const balance = balances === undefined ? '' : beside(total.currencyCode, tasks, balances)
      return `  ${countOf(total.payouts, 'payout')}, ${moneyText(total)}${balance}`
    }),
    ...duplicates
      .slice(0, mostNamed)
      .map(({ line, first }) => `line ${line} is like line ${first}: the same money to the same account.`),
    ...(more > 0 ? [`So are ${countOf(more, 'more line')}.`] : []),
  ]
}

function goneOf({ lines }: Plan): number {
  return lines.filter(({ request }) => request === undefined).length
}

/** What somebody has to know of the balance before a yes. What is only followed may have left it. */
function beside(code: string, tasks: Plan['tasks'], balances: Sums): string {
  if (!balances.codes.includes(code)) return ' (balance not known)'
  const toSend = new Sums()
  for (const { record, state } of tasks)
    if (state === undefined) toSend.add(record.amount, record.currencyCode)
  const isMore = toSend.of(code) > balances.of(code)
  return ` (${isMore ? 'more than the balance' : 'balance'}: ${balances.textOf(code)} ${code})`
}

/** As far as the gateway shows them soon, once for each currency and as a decimal. */
async function balancesOf(client: GatewayClient, totals: Plan['totals']): Promise<Sums> {
  const currencies = totals.map(({ currencyCode }) => currencyCode)
  try {
    const { balances } = await client.balances.list({ currencies }, { deadlineMs: 5000 })
    return readBalances(balances, undefined)
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return new Sums()
  }
}

interface End {
  readonly gaveUp: AnyGatewayError | undefined
  readonly interrupted: ExitCode | undefined
}

async function run({ plan, client, file, options: { wait }, io }: Sending): Promise<End> {
  const [stop, abort] = [new AbortController(), new AbortController()]
  let interrupted: ExitCode | undefined
  let grace: NodeJS.Timeout | undefined
  void io.untilInterrupted().then((exitCode) => {
    interrupted = exitCode
    grace = setTimeout(() => abort.abort(), graceMs)
    stop.abort()
  })
  const progress = progressOn(io)
  const show = () => progress.show(stepOf(countsIn(plan.lines, file.results), wait))
  const ticking = setInterval(show, 500)
  try {
    const gaveUp = await sendAll(plan.tasks, {
      job: paymentJob(client, 'payout', { firstPollMs: 1000 }),
      file,
      follow: wait,
      firstAlone: (io.env.GATEWAY_LIVE ?? '') !== '',
      stop: stop.signal,
      abort: abort.signal,
    })
    show()
    return { gaveUp, interrupted }
  } finally {
    clearInterval(ticking)
    clearTimeout(grace)
    progress.end()
  }
}

function say({ path, plan, file, options, io }: Sending, end: End, reports: readonly string[]): void {
  const { gaveUp, interrupted } = end
  const counts = countsIn(plan.lines, file.results)
  const exitCode = exitCodeOfRun(counts, end)
  const payouts = plan.lines.length
  io.finish(exitCode)
  if (options.json === true) {
    const error = gaveUp && { code: gaveUp.code, message: gaveUp.message }
    printJson(io, { payouts, ...counts, results: resultsPath(path), reports, exitCode, error })
    return
  }
  const goOn = `merchant-gateway payouts send ${shellQuoted(path)}`
  const left = counts.waiting + counts.unknown + (options.wait ? counts.accepted : 0)
  io.out(`${countOf(payouts, 'payout')}: ${textOfCounts(counts)}.`)
  io.out(reports.join(', '), 'Report: ')
  if (gaveUp !== undefined) printError(io, gaveUp.message)
  if (interrupted !== undefined) io.note('Stopped: nothing is under way any more.')
  if (left > 0) io.note(`${countOf(left, 'payout')} not done; go on with: ${goOn}`)
  if (left > 0 && goneOf(plan) > 0)
    io.note(
      'Of a payout whose line is in the file no more nothing can be asked again: put the line back first.',
    )
  if (counts.accepted > 0 && !options.wait) io.note(`To see what becomes of them: ${goOn}`)
}

function exitCodeOfRun(counts: Counts, { gaveUp, interrupted }: End): ExitCode {
  if (interrupted !== undefined) return interrupted
  const { failed, refused, review, conflict, unknown } = counts
  const needsSomebody = failed + refused + review + conflict + unknown > 0
  // What the option `live` refuses shows when something was sent, and that is more than a wrong setting.
  const wasSent = gaveUp?.code === 'configuration' && needsSomebody
  if (gaveUp !== undefined && !wasSent) return exitCodeOf(gaveUp)
  return needsSomebody ? exitCodes.refused : exitCodes.ok
}
