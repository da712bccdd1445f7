import { existsSync } from 'node:fs'
import { GatewayClient } from 'merchant-gateway'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { readRegularFile, withFile, writeInOnePiece } from '../files.js'
import type { GatewayCallOptions } from '../gateway-call.js'
import { jsonOf } from '../input/values.js'
import { type Io, printError, printJson } from '../io.js'
import { progressOn } from '../prompt.js'
import { countOf, spanOf } from '../text.js'
import { readOpening } from './options.js'
import { ownPaymentsOf } from './own-payments.js'
import { PartFile } from './part-file.js'
import { reconcileBalances } from './reconcile-balances.js'
import { sentenceOfUnexplained, summaryOf, tableOf } from './table.js'
import type { BalanceCounts, BalancesReconciled, Opening, ReconcileProgress } from './types.js'

export interface ReconcileCommandOptions extends GatewayCallOptions, BalanceCounts {
  readonly payments: string
  readonly opening?: string
  readonly out?: string
}

/** Reconciles the balances of the gateway of the environment, from a file to two files. */
export async function reconcileFiles(options: ReconcileCommandOptions, io: Io): Promise<void> {
  const { payments, pendingPayins, pendingPayouts, fees } = options
  const base = options.out ?? `${payments.replace(/\.csv$/i, '')}.balances`
  const files = { next: `${base}.json`, table: `${base}.csv` }
  for (const file of Object.values(files)) {
    if (existsSync(file)) throw new CommandFailed(`${file} exists already; give another --out.`)
  }
  const opening = options.opening === undefined ? undefined : openingIn(options.opening)
  // Read once now: what is wrong in it is said before anything is asked.
  await ownPaymentsOf(payments)
  const client = GatewayClient.fromEnv({}, io.env)
  const part = new PartFile(`${base}.part`, opening?.closedAt ?? 'first')
  const stop = new AbortController()
  const interrupted = io.untilInterrupted().then((code) => {
    stop.abort()
    return code
  })
  const progress = progressOn(io)
  let isDone = false
  try {
    const found = await reconcileBalances({
      client,
      opening,
      payments: () => ownPaymentsOf(payments),
      balanceCounts: { pendingPayins, pendingPayouts, fees },
      resume: part.payments,
      onLookedUp: (payment) => part.add(payment),
      onProgress: sayOnce(io, progress.show),
      signal: stop.signal,
    })
    progress.end()
    if (!found.complete) {
      throw new CommandFailed(
        `money in ${found.moving.join(', ')} moved in every round, so nothing was reconciled; run it again in a quieter hour.`,
        exitCodes.refused,
      )
    }
    writeInOnePiece(files.table, tableOf(found), 0o600)
    writeInOnePiece(files.next, `${JSON.stringify(found.next)}\n`, 0o600)
    isDone = true
    say(found, files, options, io)
  } catch (error) {
    progress.end()
    if (!stop.signal.aborted) throw error
    io.note('Stopped: nothing was reconciled. The same command goes on.')
    io.finish(await interrupted)
  } finally {
    part.close(isDone)
    await client.close()
  }
}

function say(found: BalancesReconciled, files: object, { json }: ReconcileCommandOptions, io: Io): void {
  const { addsUp, isFirst, currencies, changed, open } = found
  if (json === true) printJson(io, { addsUp, isFirst, currencies, changed, open, files })
  else {
    for (const line of summaryOf(found)) io.out(line)
    io.out(Object.values(files).join(', '), 'Written: ')
    if (!addsUp) printError(io, sentenceOfUnexplained(currencies))
  }
  io.finish(addsUp ? exitCodes.ok : exitCodes.refused)
}

/** How long it takes is said before it does; in a terminal a bar goes on from there. */
function sayOnce(io: Io, show: ReturnType<typeof progressOn>['show']) {
  let isSaid = false
  return ({ done, total, remainingMs }: ReconcileProgress): void => {
    if (!isSaid) io.note(`${countOf(total, 'status request')}, ${spanOf(remainingMs)} at ten a second.`)
    isSaid = true
    show({ doing: 'looking up', done, total, besides: '' })
  }
}

function openingIn(file: string): Opening {
  const json = jsonOf(withFile(file, () => readRegularFile(file).toString('utf8')))
  if (json !== undefined) return readOpening(json)
  throw new CommandFailed('--opening must name a file that an earlier run has written.')
}
