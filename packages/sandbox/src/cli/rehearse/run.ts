import { setMaxListeners } from 'node:events'
import { closeSync, writeFileSync } from 'node:fs'
import { CommandFailed, exitCodes } from '../../../../cli/src/exit-codes.js'
import { withFile } from '../../../../cli/src/files.js'
import type { Io } from '../../../../cli/src/io.js'
import { jsonLine } from '../../../../cli/src/text.js'
import { isRequest } from '../../rehearse/act-text.js'
import { Carts } from '../../rehearse/carts.js'
import { clean } from '../../rehearse/cases.js'
import type { RunContext } from '../../rehearse/context.js'
import type { Kind, Route } from '../../rehearse/gateway.js'
import { isFinding } from '../../rehearse/judge.js'
import { playAll } from '../../rehearse/play-all.js'
import { type Result, resultOfNone } from '../../rehearse/result.js'
import { type Answers, answersFile, readAnswers, writeAnswers } from './answers.js'
import { openToWrite } from './open-to-write.js'
import { type ApplicationOptions, readApplication, readWanted, type Wanted } from './options.js'
import { askForAnswers } from './questions.js'
import { adviceOf, historyLines, historyTexts, isGood, junitOf, rowsOf, summaryOf } from './reports.js'
import { openSandbox, type SandboxOptions } from './sandbox.js'

export interface RehearseOptions extends ApplicationOptions, SandboxOptions {
  readonly cases?: string
  /** The number of the one interleaving to play. */
  readonly interleaving?: number
  /** The endpoint whose answers go wrong; the create by default. */
  readonly route?: Route
  readonly list?: true
  readonly payouts?: true
  readonly price?: string
  readonly wait?: number
  readonly first?: number
  readonly appLog?: string
  readonly junit?: string
  readonly json?: true
}

/** A sweep comes once a minute. */
const LONGER_MS = 65_000
/** Not by its name: a secret may stand in its place. */
const toWrite = 'a file that is to be written'

/** Opens a sandbox, starts the application, plays the cases, reports, and leaves nothing behind. */
export async function rehearseAll(given: RehearseOptions, io: Io): Promise<void> {
  const interruption = new AbortController()
  setMaxListeners(0, interruption.signal)
  void io.untilInterrupted().then((exitCode) => {
    interruption.abort(new CommandFailed('the rehearsal was interrupted.', exitCode))
  })
  const options =
    given.act === undefined ? { ...given, ...(await answersFor(given, interruption.signal, io)) } : given
  const settings = readApplication(options)
  const wanted = readWanted(options)
  if (settings.start === undefined && isRequest(settings.act) && (options.port === 0 || !options.publicKey)) {
    throw new CommandFailed(
      'without --start your application runs already and has to know this sandbox: give --port and --public-key, which it is set to.',
    )
  }
  // Before the rehearsal: whoever waits for its end must not learn then that a file can't be written.
  const open = (file: string | undefined) => {
    return file === undefined ? undefined : withFile(toWrite, () => openToWrite(file))
  }
  const appLog = open(options.appLog)
  const junit = open(options.junit)
  // In the order in which they are listed.
  const results = new Map<string, Result>()
  for (const one of [clean, ...wanted.cases]) {
    results.set(one.name, resultOfNone(one, 'the rehearsal ended before'))
  }
  const sandbox = await openSandbox(options, io)
  const place = sandbox.withApplication(settings, interruption.signal, appLog)
  const { application } = place
  try {
    const { first, wait } = options
    const carts = new Carts(sandbox.gateway, first)
    const waits = wait === undefined ? { longer: { ms: LONGER_MS } } : { waitMs: wait * 1000 }
    await application.open(interruption.signal)
    const kind = await play({ ...place, carts, ...waits }, options, wanted, results, io)
    finish([...results.values()], kind, options, io)
  } finally {
    if (junit !== undefined) withFile(toWrite, () => writeFileSync(junit, junitOf([...results.values()])))
    await application.close()
    await sandbox.close()
    for (const file of [appLog, junit]) if (file !== undefined) closeSync(file)
  }
}

/** What the application is, where no option says it: as rehearse.json has it, or as somebody answers. */
async function answersFor(given: RehearseOptions, signal: AbortSignal, io: Io): Promise<Answers> {
  const kept = readAnswers()
  if (kept !== undefined) return kept
  if (!io.isInteractive || given.json === true) {
    throw new CommandFailed(
      'give --act: what a customer does, such as "curl -X POST localhost:3000/orders/{n}". In a terminal, rehearse without options asks for it.',
    )
  }
  const answers = await askForAnswers(given, signal, io)
  writeAnswers(answers)
  io.note(
    `The answers are in ${answersFile}: from now on "merchant-gateway-sandbox rehearse" takes no options.`,
  )
  return answers
}

/** Plays all, and writes a row for each result as soon as it is there. */
async function play(
  context: RunContext,
  options: RehearseOptions,
  wanted: Wanted,
  results: Map<string, Result>,
  io: Io,
) {
  const { reference } = await playAll(context, {
    cases: wanted.cases,
    kind: options.payouts === true ? 'payout' : undefined,
    price: wanted.price,
    route: options.route,
    round: wanted.round,
    add: (result) => {
      const isKnown = results.get(result.name)?.cart !== undefined
      results.set(result.name, result)
      if (options.json === true) return
      if (isKnown) io.out('once more:')
      for (const line of rowsOf(result, io.paint)) io.out(line)
    },
  })
  return reference?.kind
}

function finish(results: readonly Result[], kind: Kind | undefined, options: RehearseOptions, io: Io): void {
  if (options.json === true) {
    const shown = results.map(({ verdict, history, ...rest }) => {
      const texts = { advice: adviceOf(verdict), told: historyTexts(history) }
      return { ...rest, ...verdict, history, ...texts }
    })
    io.out(jsonLine({ ok: isGood(results), kind, cases: shown }))
  } else {
    for (const result of results.filter(({ verdict }) => isFinding(verdict))) {
      for (const line of historyLines(result, io.paint)) io.out(line)
    }
    io.out(`\n${summaryOf(results)}`)
  }
  io.finish(isGood(results) ? exitCodes.ok : exitCodes.refused)
}
