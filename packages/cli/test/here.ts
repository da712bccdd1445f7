import { type ExitCode, exitCodes } from '../src/exit-codes.js'
import type { Io } from '../src/io.js'
import { run } from '../src/program.js'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A command that goes on until it is ended. */
export interface Started {
  /** The first line that it prints. */
  readonly line: Promise<string>
  /** Ctrl-C. */
  end(): Promise<Ended>
  readonly ended: Promise<Ended>
}

type Environment = Readonly<Record<string, string>>

/** Runs a command in this process: many of them in the time that one process takes to start. */
export function runHere(args: readonly string[], env: Environment = {}): Promise<Ended> {
  return startHere(args, env).ended
}

export function startHere(args: readonly string[], env: Environment = {}): Started {
  return startActHere((io) => run(args, io), env)
}

/** The same for a part of a command. */
export function startActHere(act: (io: Io) => Promise<void>, env: Environment = {}): Started {
  const { line, interrupt, ended } = begin(act, env)
  return {
    line,
    ended,
    end() {
      interrupt(exitCodes.interrupted)
      return ended
    },
  }
}

function begin(act: (io: Io) => Promise<void>, env: Environment) {
  let code = 0
  let stdout = ''
  let stderr = ''
  const atExit = new Set<() => void>()
  const printed = later<string>()
  const interruption = later<ExitCode>()
  const io: Io = {
    env,
    input: process.stdin,
    isInteractive: false,
    out(line) {
      stdout += `${line}\n`
      printed.resolve(line)
    },
    note(line) {
      stderr += `${line}\n`
    },
    onExit(act) {
      atExit.add(act)
      return () => void atExit.delete(act)
    },
    untilInterrupted: () => interruption.promise,
    finish(exitCode) {
      code = exitCode
    },
  }
  const ended = act(io).then((): Ended => {
    for (const act of atExit) act()
    return { code, stdout, stderr }
  })
  return { line: printed.promise, interrupt: interruption.resolve, ended }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve = (_: T) => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
