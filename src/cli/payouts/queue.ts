import type { PayoutQueue } from '../../bullmq/index.js'
import { GatewayClient, isGatewayError } from '../../index.js'
import type { PayoutFile } from '../../payout-files/payout-file.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import type { Io } from '../io.js'
import { countOf } from '../plural.js'
import { jsonLine, printable } from '../text.js'
import { openBudget } from './budget.js'
import { checkedFile, linesOfFile, refuseUnlessFile } from './checked-file.js'
import { confirm } from './confirm.js'
import { lock } from './lock-file.js'
import { progressOn } from './progress.js'
import { reportOfFile } from './queue-report.js'
import { textOfProgress } from './queue-show.js'
import { writeReports } from './report-files.js'
import type { SendOptions } from './send.js'
import { openQueue, openWorker, type Store, withStore } from './store.js'
import { linesOfTotals } from './wording.js'

type WorkOptions = Pick<SendOptions, 'timestampUnit' | 'json'>

/** How many payouts of the queue this process has under way at once. */
const concurrency = 16

/** Adds a file to the queue, and helps to send what is in it until all is done. */
export async function sendToQueue(path: string, options: SendOptions, store: Store, io: Io): Promise<void> {
  refuseUnlessFile(path, options.format)
  // Two at once would each write ids of their own into the file, and pay everybody twice.
  const unlock = lock(`${path}.lock`)
  const forget = io.onExit(unlock)
  try {
    const file = await agreedFile(path, options, io)
    await using working = options.wait ? await workingClient(options, store, io) : undefined
    const queue = await openQueue(store)
    try {
      const { added, given, differing } = await withStore(() => queue.addAll(file.requests()))
      if (options.json !== true) io.note(`${added} added to the queue, ${given - added} were in it already.`)
      for (const id of differing.slice(0, 20)) {
        io.note(
          printable(
            `${id}: in the queue with another request; that is what is sent, and not what the file says.`,
          ),
        )
      }
      const lines = await linesOfFile(file)
      unlock()
      const end = working === undefined ? undefined : await work(working.client, queue, store, io)
      const reports = await writeReports(`${path}.report`, () => reportOfFile(queue, lines))
      await say({ queue, reports, added, differing: differing.length, end, options, io })
    } finally {
      await queue.close()
    }
  } finally {
    forget()
    unlock()
  }
}

async function agreedFile(path: string, options: SendOptions, io: Io): Promise<PayoutFile> {
  const file = await checkedFile(path, options)
  if (options.json !== true) {
    for (const line of [`${path}: ${countOf(file.payouts, 'payout')}`, ...linesOfTotals(file.totals)])
      io.note(line)
  }
  await confirm(`Send ${countOf(file.payouts, 'payout')}?`, options.yes === true, io)
  return file
}

/** Lets the queue go on, and helps until all is done. */
export async function resumeQueue(options: WorkOptions, store: Store, io: Io): Promise<void> {
  await using working = await workingClient(options, store, io)
  const queue = await openQueue(store)
  try {
    await withStore(() => queue.resume())
    const end = await work(working.client, queue, store, io)
    await say({ queue, reports: [], added: 0, differing: 0, end, options, io })
  } finally {
    await queue.close()
  }
}

/** A client that the gateway lets in: a worker with a wrong key would wait in silence until somebody mends it. */
async function workingClient({ timestampUnit }: WorkOptions, store: Store, io: Io): Promise<Working> {
  const budget = await openBudget(store, io.env)
  let client: GatewayClient | undefined
  const end = async () => {
    await client?.close()
    await budget?.close()
  }
  try {
    client = GatewayClient.fromEnv(
      { timestampUnit, deadlineMs: 60_000, rateLimit: budget?.rateLimit },
      io.env,
    )
    await letIn(client)
    return { client, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

async function letIn(client: GatewayClient): Promise<void> {
  try {
    await client.payouts.retrieve(crypto.randomUUID(), { deadlineMs: 20_000 })
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'not_found') throw error
  }
}

interface Working extends AsyncDisposable {
  /** Its requests count in the budget of all. */
  readonly client: GatewayClient
}

/** Sends what is in the queue until nothing is left or somebody stops it; workers elsewhere may help. */
async function work(
  client: GatewayClient,
  queue: PayoutQueue,
  store: Store,
  io: Io,
): Promise<ExitCode | undefined> {
  const stopped = new AbortController()
  let interrupted: ExitCode | undefined
  void io.untilInterrupted().then((exitCode) => {
    interrupted = exitCode
    stopped.abort()
  })
  const progress = progressOn(io)
  const worker = await openWorker(client, store, { concurrency, job: { firstPollMs: 2000 } })
  try {
    while (!stopped.signal.aborted) {
      const {
        total,
        waiting,
        active,
        following,
        done,
        stopped: refused,
      } = await withStore(() => queue.progress())
      const besides = [
        ...(following === 0 ? [] : [`${following} accepted`]),
        ...(refused === 0 ? [] : [`${refused} refused`]),
      ].join(', ')
      progress.show({ doing: 'payouts', done: done + refused, total, besides })
      if (waiting + active + following === 0) break
      await pause(500, stopped.signal)
    }
    return interrupted
  } finally {
    progress.end()
    await worker.close()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

interface Said {
  readonly queue: PayoutQueue
  readonly reports: readonly string[]
  readonly added: number
  readonly differing: number
  readonly end: ExitCode | undefined
  readonly options: WorkOptions
  readonly io: Io
}

async function say({ queue, reports, added, differing, end, options, io }: Said): Promise<void> {
  const progress = await withStore(() => queue.progress())
  const { waiting, active, following, stopped } = progress
  const exitCode = end ?? (stopped + differing > 0 ? exitCodes.refused : exitCodes.ok)
  if (options.json === true) io.out(jsonLine({ ...progress, added, differing, reports, exitCode }))
  else {
    io.out(textOfProgress(progress))
    if (reports.length > 0) io.out(printable(`Report: ${reports.join(', ')}`))
    if (waiting + active + following > 0) {
      io.note(
        'The queue keeps the rest, and workers elsewhere go on with it; go on here with: merchant-gateway payouts resume, and the same store.',
      )
    }
  }
  io.finish(exitCode)
}
