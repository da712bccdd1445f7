import { GatewayClient } from '../../index.js'
import { payoutJob } from '../../jobs/index.js'
import { CommandFailed, type ExitCode, exitCodeOf, exitCodes, sentenceOf } from '../exit-codes.js'
import type { GatewayCallOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import { countOf } from '../plural.js'
import { jsonLine, painter, printable, shellQuoted } from '../text.js'
import { checkedFile, type FileOptions, linesOfFile, refuseUnlessFile } from './checked-file.js'
import { confirm } from './confirm.js'
import { type Counts, ended, total } from './counts.js'
import { lock } from './lock-file.js'
import { type Plan, planOf } from './plan.js'
import { progressOn } from './progress.js'
import { reportLines, writeReports } from './report-files.js'
import { resultsPath } from './results.js'
import { now, ResultsFile, readResults } from './results-file.js'
import { type GaveUp, sendHere } from './send-here.js'
import { linesOfTotals, textOfCounts } from './wording.js'

export interface SendOptions extends FileOptions, GatewayCallOptions {
  readonly yes?: true
  readonly wait: boolean
  readonly retry?: true
}

/** Enough for ten a second when an answer takes three seconds. */
const limits = { concurrency: 32, firstAnswerMs: 30_000, nextAnswerMs: 1_800_000 }

/** How long those under way have after an interruption. What has no answer then is asked again by the next run. */
const graceMs = 15_000

/** Sends a file of payouts from this process, or goes on with it. */
export async function send(path: string, options: SendOptions, io: Io): Promise<void> {
  refuseUnlessFile(path, options.format)
  const unlock = lock(`${path}.lock`)
  const forget = io.onExit(unlock)
  try {
    await sendLocked(path, options, io)
  } finally {
    forget()
    unlock()
  }
}

/** Goes on with a file of which some was sent; what was agreed to then needs no second yes. */
export async function resume(path: string, options: SendOptions, io: Io): Promise<void> {
  refuseUnlessFile(path, options.format)
  if ((await readResults(resultsPath(path))) === undefined) {
    throw new CommandFailed(
      `nothing of ${path} was sent from here, so there is nothing to go on with; "payouts send" begins.`,
    )
  }
  // `resume` has no --no-wait: the option's default is what commander gives to `send` alone.
  await send(path, { ...options, wait: true }, io)
}

async function sendLocked(path: string, options: SendOptions, io: Io): Promise<void> {
  const file = await checkedFile(path, options)
  const lines = await linesOfFile(file)
  const earlier = await readResults(resultsPath(path))
  const plan = planOf(lines, earlier?.results, options.retry === true)
  await agree(path, lines.length, plan, options, io, earlier?.results.hasAgreed(file.totals) ?? false)
  // Before anything is written: a setting that is missing is not worth a results file.
  const client = GatewayClient.fromEnv({ timestampUnit: options.timestampUnit, deadlineMs: 60_000 }, io.env)
  try {
    const results = await ResultsFile.open(resultsPath(path))
    try {
      await results.append({ event: 'agreed', totals: file.totals, at: now() })
      const end = await run(plan, client, results, options, io)
      const reports = await writeReports(`${path}.report`, () => reportLines(lines, results.results))
      say(path, plan.counter.now, end, reports, options, io)
    } finally {
      await results.close()
    }
  } finally {
    await client.close()
  }
}

async function agree(
  path: string,
  payouts: number,
  plan: Plan,
  { yes, json }: SendOptions,
  io: Io,
  hasAgreed: boolean,
): Promise<void> {
  const { toSend, totals, counter } = plan
  if (json !== true) {
    io.note(`${path}: ${countOf(payouts, 'payout')}, ${textOfCounts(counter.now)}.`)
    if (toSend.length > 0)
      for (const line of ['To be sent, or followed to the end:', ...linesOfTotals(totals)]) io.note(line)
  }
  if (toSend.length > 0)
    await confirm(`Send ${countOf(toSend.length, 'payout')}?`, yes === true || hasAgreed, io)
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
  const { counter, toSend } = plan
  const progress = progressOn(io)
  const ticking = setInterval(() => progress.show(stepOf(counter.now, wait)), 200)
  try {
    const job = payoutJob(client, { firstPollMs: 1000 })
    const gaveUp = await sendHere(toSend, {
      job,
      file,
      counter,
      follow: wait,
      stop: stop.signal,
      abort: abort.signal,
      limits,
    })
    progress.show(stepOf(counter.now, wait))
    return { gaveUp, interrupted }
  } finally {
    clearInterval(ticking)
    clearTimeout(grace)
    progress.end()
  }
}

function stepOf(counts: Counts, follow: boolean) {
  const left = counts.waiting + counts.unknown
  const doing = left > 0 || !follow ? 'sending' : 'following'
  const done = doing === 'sending' ? total(counts) - left : ended(counts)
  const { refused, look, conflict, failed } = counts
  const bad = refused + look + conflict + failed
  return { doing, done, total: total(counts), besides: bad === 0 ? '' : `${bad} not paid` }
}

function say(
  path: string,
  counts: Counts,
  end: End,
  reports: readonly string[],
  options: SendOptions,
  io: Io,
): void {
  const { gaveUp, interrupted } = end
  const exitCode = exitCodeOfRun(counts, end)
  const left = counts.waiting + counts.unknown + (options.wait ? counts.accepted : 0)
  const goOn = `merchant-gateway payouts resume ${shellQuoted(path)}`
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
    if (counts.accepted > 0 && !options.wait) io.note(printable(`To see what becomes of them: ${goOn}`))
  }
  io.finish(exitCode)
}

function exitCodeOfRun({ failed, refused, look, conflict }: Counts, { gaveUp, interrupted }: End): ExitCode {
  if (interrupted !== undefined) return interrupted
  if (gaveUp !== undefined) return exitCodeOf(gaveUp.error)
  return failed + refused + look + conflict > 0 ? exitCodes.refused : exitCodes.ok
}
