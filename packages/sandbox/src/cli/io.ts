import { homedir } from 'node:os'
import { type ExitCode, exitCodes } from './failure.js'
import { type Paint, painter, wantsColour } from './text.js'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Io {
  readonly env: Environment
  readonly folder: string
  /** Of the user. */
  readonly home: string
  /** Of the terminal; 80 where there is none. */
  readonly columns: number
  /** Of the terminal that shows errors; without an end where there is none. */
  readonly errorColumns: number
  readonly colours: { readonly out: boolean; readonly err: boolean }
  readonly paint: Paint
  out(line: string): void
  note(line: string): void
  /** What is in progress, in place of what was: the empty text takes it away. Nothing where standard error is no terminal. */
  progress(text: string): void
  /** Runs `act` when the process ends, however it does. It must be synchronous. Returns how to forget it. */
  onExit(act: () => void): () => void
  /** Resolves in place of ending the process, with the exit code of the interruption. A second one ends it. */
  untilInterrupted(): Promise<ExitCode>
  finish(exitCode: number): void
}

const signals = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.hungUp],
] as const

/** The process itself. Nothing that is in progress outlives an interruption, and exit handlers tidy up. */
export function processIo(): Io {
  let interrupted: ((exitCode: ExitCode) => void) | undefined
  for (const [signal, exitCode] of signals) {
    process.on(signal, () => {
      const resolve = interrupted
      interrupted = undefined
      if (resolve === undefined) process.exit(exitCode)
      else resolve(exitCode)
    })
  }
  for (const stream of [process.stdout, process.stderr]) {
    // `| head` has seen enough, or the terminal is gone. Other tools die of SIGPIPE then, which Node ignores.
    stream.on('error', () => process.exit(exitCodes.readerGone))
  }
  // One listener for all of them: Node warns of a leak from eleven on, and a rehearsal runs more commands at once.
  const lastActs = new Set<() => void>()
  process.on('exit', () => {
    for (const act of lastActs) act()
  })
  const colours = {
    out: wantsColour(process.stdout.isTTY === true, process.env),
    err: wantsColour(process.stderr.isTTY === true, process.env),
  }
  return {
    env: process.env,
    folder: process.cwd(),
    home: homedir(),
    columns: process.stdout.columns ?? 80,
    errorColumns: process.stderr.columns ?? Number.POSITIVE_INFINITY,
    colours,
    paint: painter(colours.out),
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    progress(text) {
      const { columns = 80, isTTY } = process.stderr
      if (isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, columns - 1)}`)
    },
    onExit(act) {
      lastActs.add(act)
      return () => void lastActs.delete(act)
    },
    untilInterrupted: () =>
      new Promise((resolve) => {
        interrupted = resolve
      }),
    finish(exitCode) {
      process.exitCode = exitCode
    },
  }
}
