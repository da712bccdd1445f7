import { type ExitCode, exitCodes } from './exit-codes.js'
import { coloured, inTwo, jsonLine, paragraph } from './text.js'

export type Environment = Readonly<Record<string, string | undefined>>

export type Io = ReturnType<typeof processIo>

/** How wide a help is where no terminal says it, and at most. */
const [usual, widest] = [80, 100]

/** Prints at a terminal's width; a pipe takes lines of any length. */
function printerOf(stream: NodeJS.WriteStream) {
  return (text: string, head = ''): void => {
    const columns = stream.isTTY === true ? stream.columns : Number.POSITIVE_INFINITY
    stream.write(`${paragraph(text, head, columns)}\n`)
  }
}

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
    /** How wide a help may be. */
    columns: Math.min(widest, process.stdout.columns ?? usual),
    /** Text of standard output, which is what was asked for, behind a head that its lines hang below. */
    out: printerOf(process.stdout),
    /** The same for standard error: everything else. */
    note: printerOf(process.stderr),
    /** Standard output as it is. */
    raw: (text: string): void => void process.stdout.write(`${text}\n`),
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
    if (!said.includes(warning.code ?? '')) io.note(warning.message, 'warning: ')
  })
}

/** What happened, and below it what to do. */
export function printError(io: Io, sentence: string): void {
  const [what, toDo] = inTwo(sentence)
  io.note(what, `${coloured('red', 'error:', process.stderr)} `)
  if (toDo !== '') io.note(toDo, '       ')
}

export function printJson(io: Io, value: unknown): void {
  io.raw(jsonLine(value))
}
