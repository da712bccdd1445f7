import { setMaxListeners } from 'node:events'
import { closeSync, constants, lstatSync, openSync, writeFileSync } from 'node:fs'
import type { PaymentKind } from '../../gateway/payments/payment.js'
import { isRequest } from '../../rehearse/action-text.js'
import type { Case } from '../../rehearse/case.js'
import { clean } from '../../rehearse/cases.js'
import { isFinding, type Verdict } from '../../rehearse/judge.js'
import { Orders } from '../../rehearse/orders.js'
import { playAll } from '../../rehearse/play-all.js'
import { type Result, resultOfNone } from '../../rehearse/result.js'
import { CommandFailed, exitCodes, withFile } from '../failure.js'
import type { Io } from '../io.js'
import { jsonLine } from '../text.js'
import { type ApplicationOptions, readApplication, readCases, readPrice } from './options.js'
import { adviceOf, historyLines, historyTexts, isGood, junitOf, rowsOf, summaryOf } from './reports.js'
import { openSandbox, type SandboxOptions } from './sandbox.js'
import { readSaved, save, savedFile } from './saved.js'

export interface RehearseOptions extends ApplicationOptions, SandboxOptions {
  readonly cases?: string
  readonly list?: true
  readonly save?: true
  readonly payouts?: true
  readonly price?: string
  readonly wait?: number
  readonly first?: number
  readonly appLog?: string
  readonly junit?: string
  readonly json?: true
}

// Windows has no such flag.
const toWriteAnew = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)
/** Not by its name: a secret may stand in its place. */
const toWrite = 'a file that is to be written'

export async function rehearseAll(given: RehearseOptions, io: Io): Promise<void> {
  const interruption = new AbortController()
  setMaxListeners(0, interruption.signal)
  void io.untilInterrupted().then((exitCode) => {
    interruption.abort(new CommandFailed('the rehearsal was interrupted.', exitCode))
  })
  const options = given.action === undefined ? { ...given, ...readSaved(io.folder) } : given
  const settings = readApplication(options)
  const cases = readCases(options.cases)
  const price = readPrice(options.price)
  if (
    settings.start === undefined &&
    isRequest(settings.action) &&
    (options.port === 0 || !options.publicKey)
  ) {
    throw new CommandFailed(
      'without --start your application runs already and has to know this sandbox. Give --port and --public-key, which it is set to.',
    )
  }
  // Before the rehearsal: whoever waits for its end must not learn then that a file can't be written.
  const open = (file: string | undefined) => {
    return file === undefined ? undefined : withFile(toWrite, () => openToWrite(file))
  }
  const appLog = open(options.appLog)
  const junit = open(options.junit)
  // In the order in which they are listed.
  const none = (one: Case) => [one.name, resultOfNone(one, 'the rehearsal ended before')] as const
  const results = new Map<string, Result>([clean, ...cases].map(none))
  if (options.save === true) {
    save(options, io.folder)
    io.note(`The options are in ${savedFile}: from now on "merchant-gateway-sandbox rehearse" takes none.`)
  }
  const { signal } = interruption
  const { close, ...place } = await openSandbox({ ...options, application: settings, signal }, io, appLog)
  const { application, gateway } = place
  try {
    const { first, wait } = options
    const orders = new Orders(gateway, first)
    const waits = wait === undefined ? { longer: { ms: 65_000 } } : { waitMs: wait * 1000 }
    const playing = new Set<string>()
    const begins = (name?: string) => {
      if (name !== undefined) playing.add(name)
      const done = [...results.values()].filter(({ order }) => order !== undefined)
      io.progress(`${Math.min(done.length + 1, results.size)} of ${results.size}: ${[...playing].join(', ')}`)
    }
    await application.open(signal)
    const { reference } = await playAll(
      { ...place, orders, ...waits, begins },
      {
        cases,
        kind: options.payouts === true ? 'payout' : undefined,
        price,
        add: (result) => {
          const isKnown = results.get(result.name)?.order !== undefined
          results.set(result.name, result)
          playing.delete(result.name)
          io.progress('')
          if (options.json === true) return
          if (isKnown) io.out('once more:')
          for (const line of rowsOf(result, io)) io.out(line)
          if (playing.size > 0) begins()
        },
      },
    )
    finish([...results.values()], options, io, reference?.kind)
  } finally {
    io.progress('')
    if (junit !== undefined) withFile(toWrite, () => writeFileSync(junit, junitOf([...results.values()])))
    await application.close()
    await close()
    for (const file of [appLog, junit]) if (file !== undefined) closeSync(file)
  }
}

function finish(results: readonly Result[], options: RehearseOptions, io: Io, kind?: PaymentKind): void {
  if (options.json === true) {
    const shown = results.map(({ verdict, history, ...rest }) => {
      const texts = { advice: adviceOf(verdict), lines: historyTexts(history) }
      return { ...rest, ...verdict, history, ...texts }
    })
    io.out(jsonLine({ ok: isGood(results), kind, cases: shown }))
  } else {
    const fixes = new Set<Verdict['fix']>()
    for (const result of results.filter(({ verdict }) => isFinding(verdict))) {
      const { fix } = result.verdict
      for (const line of historyLines(result, io, fixes.has(fix))) io.out(line)
      fixes.add(fix)
    }
    io.out(`\n${summaryOf(results)}`)
  }
  io.finish(isGood(results) ? exitCodes.ok : exitCodes.refused)
}

/** @throws for a pipe, which waits for a reader, and for a link: somebody may have put it there. */
function openToWrite(file: string): number {
  const isPipe = lstatSync(file, { throwIfNoEntry: false })?.isFIFO() === true
  if (isPipe) throw Object.assign(new Error('a pipe'), { code: 'NOT_A_FILE' })
  return openSync(file, toWriteAnew, 0o600)
}
