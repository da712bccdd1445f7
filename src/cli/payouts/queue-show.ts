import type { PayoutProgress } from '../../bullmq/index.js'
import { exitCodes } from '../exit-codes.js'
import type { Io } from '../io.js'
import { countOf } from '../plural.js'
import { jsonLine, printable, spanOf } from '../text.js'
import { advice } from './counts.js'
import { reportLine, reportOf } from './queue-report.js'
import { writeReports } from './report-files.js'
import { printRefused, type ShowOptions } from './show.js'
import { openQueue, type Store, withStore } from './store.js'

/** How far a queue is. */
export async function queueStatus({ json }: ShowOptions, store: Store, io: Io): Promise<void> {
  const queue = await openQueue(store)
  try {
    const progress = await withStore(() => queue.progress())
    io.out(json === true ? jsonLine(progress) : textOfProgress(progress))
    io.finish(exitCodes.ok)
  } finally {
    await queue.close()
  }
}

/** The payouts of a queue that need a person. */
export async function queueRefused(options: ShowOptions, store: Store, io: Io): Promise<void> {
  const queue = await openQueue(store)
  try {
    await withStore(async () => {
      for await (const stopped of queue.refused()) {
        printRefused([{ ...reportLine(stopped), advice: advice[stopped.state] }], options, io)
      }
    })
    io.finish(exitCodes.ok)
  } finally {
    await queue.close()
  }
}

/** Writes what became of each payout of a queue. */
export async function queueReport({ json, out }: ShowOptions, store: Store, io: Io): Promise<void> {
  const queue = await openQueue(store)
  try {
    const reports = await writeReports(out ?? `${store.name}.report`, () => reportOf(queue))
    io.out(json === true ? jsonLine({ reports }) : printable(`Report: ${reports.join(', ')}`))
    io.finish(exitCodes.ok)
  } finally {
    await queue.close()
  }
}

/** One line for a person. */
export function textOfProgress({
  total,
  waiting,
  active,
  following,
  done,
  stopped,
  paused,
  perSecond,
  leftMs,
}: PayoutProgress): string {
  const rate = perSecond === undefined ? '' : `, ${perSecond.toFixed(1)}/s`
  const left = leftMs === undefined || leftMs === 0 ? '' : `, ${spanOf(leftMs)} left`
  return `${countOf(total, 'payout')}: ${done} final, ${stopped} to look at, ${following} followed, ${active} under way, ${waiting} waiting${paused ? ', paused' : ''}${rate}${left}.`
}
