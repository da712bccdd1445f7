import { moneyIn } from '../../../../src/client/input/money-in.js'
import { GatewayClient } from '../../../../src/index.js'
import { paymentJob } from '../../../../src/jobs/index.js'
import { confirm } from '../confirm.js'
import { type ExitCode, exitCodeOf, exitCodes, sentenceOf } from '../exit-codes.js'
import type { GatewayCallOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import { progressOn } from '../progress.js'
import { countOf, jsonLine, painter, printable, shellQuoted, spanOf } from '../text.js'
import { checkedLines, type FileOptions, refuseUnlessFile, styleOf } from './checked-file.js'
import { type Counts, stepOf, textOfCounts, total } from './counts.js'
import { linesOfTotals, type Plan, type PlanOptions, planOf } from './plan.js'
import { reportLines, writeReports } from './report-files.js'
import { resultsPath } from './results.js'
import { now, ResultsFile } from './results-file.js'
import { type GaveUp, type Outage, sendAll } from './send-all.js'

export interface SendOptions extends FileOptions, GatewayCallOptions, PlanOptions {
  readonly yes?: true
  readonly wait: boolean
  /** No other run is under way, whatever the results file says. */
  readonly alone?: true
}

/** Enough for ten a second when an answer takes three seconds. */
const limits = { concurrency: 32, firstAnswerMs: 30_000, nextAnswerMs: 1_800_000, outageMs: 5000 }

/** How long those under way have after an interruption. What has no answer then is asked again by the next run. */
const graceMs = 15_000

/** Sends a file of payouts from this process, or goes on with it: what was agreed to needs no second yes. */
export async function send(path: string, options: SendOptions, io: Io): Promise<void> {
  refuseUnlessFile(path, options.format)
  // Before anything is written: a setting that is missing is not worth a results file.
  const client = GatewayClient.fromEnv({ deadlineMs: 60_000 }, io.env)
  try {
    const file = await ResultsFile.open(resultsPath(path), options.alone)
    const forget = io.onExit(() => file.leave())
    try {
      await sendFrom(path, file, client, options, io)
    } finally {
      forget()
      await file.close()
    }
  } finally {
    await client.close()
  }
}

async function sendFrom(
  path: string,
  file: ResultsFile,
  client: GatewayClient,
  options: SendOptions,
  io: Io,
): Promise<void> {
  const { results } = file
  const { lines, plan } = await checkedLines(path, options, (lines) => ({
    lines,
    plan: planOf(lines, results, options),
  }))
  await agree(path, plan, client, options, io, results.agreed?.lines === plan.lines)
  const again = options.payAgain === true || (results.agreed?.lines === plan.lines && results.agreed.again)
  await file.append({ event: 'agreed', lines: plan.lines, again, at: now() })
  const end = await run(plan, client, file, options, io)
  const reports = writeReports(`${path}.report`, styleOf(path, options), () =>
    reportLines(path, lines, results),
  )
  say(path, plan, end, reports, options, io)
}

/** How many lines of one kind are named. */
const mostNamed = 5

/** Says what is to be sent, and goes on when somebody says yes. */
async function agree(
  path: string,
  { tasks, totals, counter, twins, withoutLine }: Plan,
  client: GatewayClient,
  { yes, json }: SendOptions,
  io: Io,
  hasAgreed: boolean,
): Promise<void> {
  const isAsked = tasks.length > 0 && yes !== true && !hasAgreed
  if (json !== true) {
    const { now: counts } = counter
    io.note(printable(`${path}: ${countOf(total(counts), 'payout')}, ${textOfCounts(counts)}.`))
    if (withoutLine > 0) {
      io.note(
        `${countOf(withoutLine, 'payout')} of these may have been sent, and the file has the line no more.`,
      )
    }
    if (tasks.length > 0) {
      io.note('To be sent, or followed to the end:')
      const balances = isAsked && io.isInteractive ? await balancesOf(client, totals) : undefined
      for (const line of linesOfTotals(totals, balances)) io.note(line)
    }
    for (const { line, first } of twins.slice(0, mostNamed)) {
      io.note(`line ${line} is like line ${first}: the same money to the same account.`)
    }
    if (twins.length > mostNamed) io.note(`So are ${countOf(twins.length - mostNamed, 'more line')}.`)
  }
  if (!isAsked) return
  await confirm(
    {
      question: `Send ${countOf(tasks.length, 'payout')}?`,
      nobody:
        'nobody can be asked here whether these payouts are to be sent, so nothing was sent; give --yes to send them without a question.',
      no: 'nothing was sent.',
    },
    false,
    io,
  )
}

/** By currency, as far as the gateway shows them soon; nobody need wait for that. */
async function balancesOf(client: GatewayClient, totals: Plan['totals']): Promise<Map<string, string>> {
  try {
    const currencies = totals.map(({ currencyCode }) => currencyCode)
    const { balances } = await client.balances.list({ currencies }, { deadlineMs: 5000 })
    return new Map([...moneyIn(balances)].map(({ amount, currencyCode }) => [currencyCode, amount]))
  } catch {
    return new Map()
  }
}

interface End {
  readonly gaveUp?: GaveUp | undefined
  readonly interrupted?: ExitCode | undefined
}

async function run(
  plan: Plan,
  client: GatewayClient,
  file: ResultsFile,
  { wait }: SendOptions,
  io: Io,
): Promise<End> {
  const [stop, abort] = [new AbortController(), new AbortController()]
  let interrupted: ExitCode | undefined
  let grace: NodeJS.Timeout | undefined
  void io.untilInterrupted().then((exitCode) => {
    interrupted = exitCode
    grace = setTimeout(() => abort.abort(), graceMs)
    stop.abort()
  })
  const { counter, tasks } = plan
  const progress = progressOn(io)
  const ticking = setInterval(() => progress.show(stepOf(counter.now, wait)), 200)
  try {
    const job = paymentJob(client, 'payout', { firstPollMs: 1000 })
    const gaveUp = await sendAll(tasks, {
      job,
      file,
      counter,
      follow: wait,
      firstAlone: (io.env.GATEWAY_LIVE ?? '') !== '',
      stop: stop.signal,
      abort: abort.signal,
      limits,
      // In a terminal there is a bar that stands still.
      onOutage: io.isInteractive ? () => {} : (outage) => io.note(textOfOutage(outage)),
    })
    progress.show(stepOf(counter.now, wait))
    return { gaveUp, interrupted }
  } finally {
    clearInterval(ticking)
    clearTimeout(grace)
    progress.end()
  }
}

function textOfOutage({ error, silentMs, patienceMs }: Outage): string {
  return `Waiting for the gateway: no usable answer for ${spanOf(silentMs)} (${error.code}); gives up after ${spanOf(patienceMs)}.`
}

function say(
  path: string,
  { counter, withoutLine }: Plan,
  end: End,
  reports: readonly string[],
  options: SendOptions,
  io: Io,
): void {
  const { gaveUp, interrupted } = end
  const counts = counter.now
  const exitCode = exitCodeOfRun(counts, end)
  const left = counts.waiting + counts.unknown + (options.wait ? counts.accepted : 0)
  const goOn = `merchant-gateway payouts send ${shellQuoted(path)}`
  if (options.json === true) {
    const error =
      gaveUp === undefined ? undefined : { code: gaveUp.error.code, message: gaveUp.error.message }
    io.out(
      jsonLine({ payouts: total(counts), ...counts, results: resultsPath(path), reports, exitCode, error }),
    )
  } else {
    io.out(printable(`${countOf(total(counts), 'payout')}: ${textOfCounts(counts)}.`))
    io.out(printable(`Report: ${reports.join(', ')}`))
    if (gaveUp !== undefined)
      io.note(`${painter(io.colours.err)('red', 'error:')} ${printable(sentenceOf(gaveUp.error))}`)
    if (interrupted !== undefined) io.note('Stopped: nothing is under way any more.')
    if (left > 0) io.note(printable(`${countOf(left, 'payout')} not done; go on with: ${goOn}`))
    if (left > 0 && withoutLine > 0)
      io.note(
        'Of a payout whose line is in the file no more nothing can be asked again: put the line back first.',
      )
    if (counts.accepted > 0 && !options.wait) io.note(printable(`To see what becomes of them: ${goOn}`))
  }
  io.finish(exitCode)
}

function exitCodeOfRun(
  { failed, refused, look, conflict, unknown }: Counts,
  { gaveUp, interrupted }: End,
): ExitCode {
  if (interrupted !== undefined) return interrupted
  const needsSomebody = failed + refused + look + conflict + unknown > 0
  // What the option `live` refuses shows when something was sent, and that is more than a wrong setting.
  const wasSent = gaveUp?.error.code === 'configuration' && needsSomebody
  if (gaveUp !== undefined && !wasSent) return exitCodeOf(gaveUp.error)
  return needsSomebody ? exitCodes.refused : exitCodes.ok
}
