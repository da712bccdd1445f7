import { closeSync, writeFileSync } from 'node:fs'
import { CommandFailed, exitCodes } from '../../../../src/cli/exit-codes.js'
import { fileProblem, openToWrite } from '../../../../src/cli/files.js'
import type { Io } from '../../../../src/cli/io.js'
import { jsonLine } from '../../../../src/cli/text.js'
import { isRequest } from '../../rehearse/act-text.js'
import { Carts } from '../../rehearse/carts.js'
import { type Case, clean } from '../../rehearse/cases.js'
import { type RunContext, usualCalmMs } from '../../rehearse/context.js'
import type { Kind, Money, Route } from '../../rehearse/gateway.js'
import { junitOf } from '../../rehearse/junit.js'
import { learn, notPlayed, type Result, rehearse, withSurplus } from '../../rehearse/rehearsal.js'
import { argumentsOf, countsOf, type Report } from '../../rehearse/report.js'
import { vitestFileOf } from '../../rehearse/vitest-file.js'
import { Application } from './application.js'
import { environmentOf } from './environment.js'
import { type ApplicationOptions, readApplication, readCases, readPrice } from './options.js'
import { openSandbox, type SandboxOptions } from './sandbox.js'
import { historyLines, rowsOf, summaryOf } from './text.js'

export interface RehearseOptions extends ApplicationOptions, SandboxOptions {
  readonly cases?: string
  /** The endpoint whose answers go wrong; the create by default. */
  readonly route?: Route
  readonly list?: true
  readonly payouts?: true
  readonly price?: string
  readonly wait?: number
  readonly first?: number
  readonly appLog?: string
  readonly junit?: string
  readonly vitest?: string
  readonly json?: true
}

const USUAL_WAIT_SECS = 10
/** A sweep comes once a minute. */
const LONGER_MS = 65_000

/** Opens a sandbox, starts the application, plays the cases, reports, and leaves nothing behind. */
export async function rehearseAll(options: RehearseOptions, io: Io): Promise<void> {
  const settings = readApplication(options)
  const wanted = readCases(options.cases)
  const price = readPrice(options.price)
  if (settings.start === undefined && isRequest(settings.act) && (options.port === 0 || !options.publicKey)) {
    throw new CommandFailed(
      'without --start your application runs already and has to know this sandbox: give --port and --public-key, which it is set to.',
    )
  }
  const interruption = new AbortController()
  void io.untilInterrupted().then((exitCode) => {
    interruption.abort(new CommandFailed('the rehearsal was interrupted.', exitCode))
  })
  // Before the rehearsal: whoever waits for its end must not learn then that a file can't be written.
  const files = [
    { file: options.appLog, textOf: undefined },
    { file: options.junit, textOf: junitOf },
    { file: options.vitest, textOf: vitestFileOf },
  ].flatMap(({ file, textOf }) =>
    file === undefined ? [] : [{ opened: attempt(() => openToWrite(file)), textOf }],
  )
  const output = files.find(({ textOf }) => textOf === undefined)?.opened ?? 'ignore'
  const results: Result[] = []
  const sandbox = await openSandbox(options, io)
  const env = environmentOf(sandbox.served, io.env, options.profile)
  const application = new Application(settings, { env, output, onExit: (act) => io.onExit(act) })
  try {
    const context: RunContext = {
      gateway: sandbox.gateway,
      own: sandbox.own,
      application,
      carts: new Carts(),
      signal: interruption.signal,
      patienceMs: settings.patienceMs,
      waitMs: (options.wait ?? USUAL_WAIT_SECS) * 1000,
      ...(options.wait === undefined && { longer: { ms: LONGER_MS } }),
      calmMs: usualCalmMs,
    }
    await application.open(interruption.signal)
    const kind = await playAll(context, { ...options, wanted, price }, results, io)
    finish(results, kind, options, io)
  } finally {
    const rest = [clean, ...wanted].filter(({ name }) => results.every((result) => result.name !== name))
    const cutShort = rest.map((one) => notPlayed(one, 'not played: the rehearsal ended before'))
    const report: Report = {
      args: argumentsOfAll(settings.args, options),
      results: [...results, ...cutShort],
    }
    for (const { opened, textOf } of files) {
      if (textOf !== undefined) attempt(() => writeFileSync(opened, textOf(report)))
    }
    await application.close()
    await sandbox.close()
    for (const { opened } of files) closeSync(opened)
  }
}

async function playAll(
  context: RunContext,
  options: Pick<RehearseOptions, 'first' | 'json' | 'payouts' | 'route'> & {
    readonly wanted: readonly Case[]
    readonly price: Money | undefined
  },
  results: Result[],
  io: Io,
): Promise<Kind | undefined> {
  const add = (result: Result) => {
    results.push(result)
    if (options.json !== true) for (const line of rowsOf(result, io.paint)) io.out(line)
  }
  // By the time, so that an application which keeps its orders meets new carts in the next rehearsal.
  let cart = options.first ?? Math.floor(Date.now() / 1000)
  const kind = options.payouts === true ? 'payout' : undefined
  const { result, reference } = await learn(context, cart, kind, options.price)
  add(result)
  cart += 2
  for (const one of options.wanted) {
    if (reference === undefined)
      add(notPlayed(one, 'not played: a cart without a fault has to go well first'))
    else {
      add(await rehearse(one, cart, reference, context, options.route))
      for (const late of context.carts.takeSurplus()) {
        // The first result stands for two carts.
        const place = results.findIndex(({ cart }) => cart === late)
        const [judged] = results.splice(place < 0 ? 0 : place, 1)
        if (judged !== undefined) add(withSurplus(judged, reference))
      }
    }
    cart += 1
  }
  return reference?.kind
}

function finish(results: readonly Result[], kind: Kind | undefined, options: RehearseOptions, io: Io): void {
  const failed = results.filter(({ verdict }) => verdict.outcome === 'failed')
  if (options.json === true) {
    const shown = results.map(({ verdict, ...rest }) => ({ ...rest, ...verdict }))
    io.out(jsonLine({ ok: failed.length === 0, kind, cases: shown }))
  } else {
    for (const result of failed) for (const line of historyLines(result, io.paint)) io.out(line)
    io.out(`\n${summaryOf(results)}`)
  }
  io.finish(countsOf(results).failed === 0 ? exitCodes.ok : exitCodes.refused)
}

function attempt<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new CommandFailed(`a file that is to be written ${fileProblem(error)}.`)
  }
}

/** What rehearses the same again; the number of the first cart is another one then. */
function argumentsOfAll(application: readonly string[], all: RehearseOptions): string[] {
  const { wait, cases, route, host, profile, options, payouts, price, port, publicKey = [] } = all
  const rest = { wait, cases, route, host, profile, options, payouts, price, port: port || undefined }
  return [...application, ...argumentsOf(rest), ...publicKey.flatMap((file) => ['--public-key', file])]
}
