import { type ExitCode, exitCodes } from './exit-codes.js'
import { printable } from './text.js'

export type Environment = Readonly<Record<string, string | undefined>>

export type Io = ReturnType<typeof processIo>

const signals = [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.hungUp],
] as const

/** The process itself. Nothing that is under way outlives an interruption, and exit handlers tidy up. */
export function processIo() {
  const env: Environment = process.env
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
  return {
    env,
    input: process.stdin,
    /** Whether somebody sits there. */
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    /** A line of standard output: what was asked for. */
    out: (line: string): void => void process.stdout.write(`${line}\n`),
    /** A line of standard error: everything else. */
    note: (line: string): void => void process.stderr.write(`${line}\n`),
    /** Runs `act` when the process ends, however it does. It must be synchronous. Returns how to forget it. */
    onExit(act: () => void): () => void {
      process.on('exit', act)
      return () => void process.off('exit', act)
    },
    /**
     * From here on an interruption is the ordinary end: resolves instead of ending the process, with the exit
     * code that says which it was. A second one ends it.
     */
    untilInterrupted: () =>
      new Promise<ExitCode>((resolve) => {
        interrupted = resolve
      }),
    finish(exitCode: number): void {
      process.exitCode = exitCode
    },
  }
}

/** What the doctor says in words of its own. */
const saidByDoctor = ['MERCHANT_GATEWAY_CLOCK', 'MERCHANT_GATEWAY_TLS', 'MERCHANT_GATEWAY_TEST_PAYMENT']

/** Prints warnings of the client as one line each, without the number of the process and where they come from. */
export function printWarnings(io: Io, [command]: readonly string[]): void {
  const said = command === 'doctor' ? saidByDoctor : []
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    if (!said.includes(warning.code ?? '')) io.note(`warning: ${printable(warning.message)}`)
  })
}
