import { closeSync, writeFileSync } from 'node:fs'
import { CommandFailed, exitCodes } from '../../../../src/cli/exit-codes.js'
import { fileProblem, openToWrite } from '../../../../src/cli/files.js'
import type { Io } from '../../../../src/cli/io.js'
import { jsonLine } from '../../../../src/cli/text.js'
import type { Case } from '../../rehearse/cases.js'
import { type RunContext, usualCalmMs } from '../../rehearse/context.js'
import type { Route } from '../../rehearse/gateway.js'
import { junitOf } from '../../rehearse/junit.js'
import { learn, notPlayed, type Result, rehearse } from '../../rehearse/rehearsal.js'
import { countsOf, type Report, type Setup } from '../../rehearse/report.js'
import { vitestFileOf } from '../../rehearse/vitest-file.js'
import { Application } from './application.js'
import { environmentOf } from './environment.js'
import { type ApplicationOptions, readApplication, readCases } from './options.js'
import { openSandbox, type SandboxOptions } from './sandbox.js'
import { historyLines, rowsOf, summaryOf } from './text.js'

export interface RehearseOptions extends ApplicationOptions, SandboxOptions {
  readonly cases?: string
  /** The endpoint whose answers go wrong; the create by default. */
  readonly route?: Route
  readonly list?: true
  readonly payouts?: true
  readonly wait: number
  readonly first?: number
  readonly appLog?: string
  readonly junit?: string
  readonly vitest?: string
  readonly json?: true
}

/** Opens a sandbox, starts the application, plays the cases, reports, and leaves nothing behind. */
export async function rehearseAll(options: RehearseOptions, io: Io): Promise<void> {
  const settings = readApplication(options)
  const wanted = readCases(options.cases)
  if (
    settings.start === undefined &&
    settings.act.kind === 'http' &&
    (options.port === 0 || !options.publicKey)
  ) {
    throw new CommandFailed(
      'without --start your application runs already and has to know this sandbox: give --port and --public-key, which it is set to.',
    )
  }
  const interruption = new AbortController()
  void io.untilInterrupted().then((exitCode) => {
    interruption.abort(new CommandFailed('the rehearsal was interrupted.', exitCode))
  })
  const output = options.appLog === undefined ? 'ignore' : openLog(options.appLog)
  const sandbox = await openSandbox(options, io)
  const env = environmentOf(sandbox.served, io.env)
  const application = new Application(settings, { env, output, onExit: (act) => io.onExit(act) })
  try {
    const context: RunContext = {
      gateway: sandbox.gateway,
      application,
      signal: interruption.signal,
      patienceMs: settings.patienceMs,
      waitMs: options.wait * 1000,
      calmMs: usualCalmMs,
    }
    await application.open(interruption.signal)
    const report = await playAll(context, wanted, options, io)
    finish(report, options, io)
  } finally {
    await application.close()
    await sandbox.close()
    if (output !== 'ignore') closeSync(output)
  }
}

async function playAll(
  context: RunContext,
  wanted: readonly Case[],
  options: RehearseOptions,
  io: Io,
): Promise<Report> {
  const { args: application = [] } = context.application
  const results: Result[] = []
  const add = (result: Result) => {
    results.push(result)
    if (options.json !== true) for (const line of rowsOf(result, io.paint)) io.out(line)
  }
  // By the time, so that an application which keeps its orders meets new carts in the next rehearsal.
  let cart = options.first ?? Math.floor(Date.now() / 1000)
  const { result, reference } = await learn(context, cart, options.payouts === true ? 'payout' : undefined)
  add(result)
  cart += 2
  for (const one of wanted) {
    if (reference === undefined) add(notPlayed(one, 'not played: a cart has to make one payment first'))
    else add(await rehearse(one, cart, reference, context, options.route))
    cart += 1
  }
  return { setup: setupOf(application, options), kind: reference?.kind, results }
}

function finish(report: Report, options: RehearseOptions, io: Io): void {
  const { results, kind } = report
  const failed = results.filter(({ verdict }) => verdict.outcome === 'failed')
  if (options.json === true) {
    const shown = results.map(({ verdict, ...rest }) => ({ ...rest, ...verdict }))
    io.out(jsonLine({ ok: failed.length === 0, kind, cases: shown }))
  } else {
    for (const result of failed) for (const line of historyLines(result, io.paint)) io.out(line)
    io.out(`\n${summaryOf(results)}`)
  }
  if (options.junit !== undefined) write(options.junit, junitOf(report))
  if (options.vitest !== undefined) write(options.vitest, vitestFileOf(report))
  io.finish(countsOf(results).failed === 0 ? exitCodes.ok : exitCodes.refused)
}

function openLog(file: string): number {
  return attempt(() => openToWrite(file))
}

function write(file: string, text: string): void {
  attempt(() => {
    const opened = openToWrite(file)
    try {
      writeFileSync(opened, text)
    } finally {
      closeSync(opened)
    }
  })
}

function attempt<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new CommandFailed(`a file that is to be written ${fileProblem(error)}.`)
  }
}

/** What rehearses the same again; the number of the first cart is another one then. */
function setupOf(application: readonly string[], options: RehearseOptions): Setup {
  const { act = '', wait, payouts, cases, route, port, publicKey = [] } = options
  const args = [
    ...application,
    ...['--wait', String(wait)],
    ...(cases === undefined ? [] : ['--cases', cases]),
    ...(route === undefined ? [] : ['--route', route]),
    ...(port === 0 ? [] : ['--port', String(port)]),
    ...publicKey.flatMap((file) => ['--public-key', file]),
    ...(payouts === true ? ['--payouts'] : []),
  ]
  return { act, args }
}
