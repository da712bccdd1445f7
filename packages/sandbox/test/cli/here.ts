import { type Environment, Growing, temporaryFolders } from '../../../../test/support/commands.js'
import { type ExitCode, exitCodes } from '../../src/cli/failure.js'
import { run as runCommand } from '../../src/cli/program.js'
import { painter } from '../../src/cli/text.js'

export { escapes, secrets, temporaryFolder, temporaryFolders } from '../../../../test/support/commands.js'

type Io = Parameters<typeof runCommand>[1]

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A command that goes on until it is ended. */
export interface Started {
  readonly finished: Promise<Ended>
  /** Resolves when standard output holds the text. */
  until(text: string): Promise<string>
  /** The same for standard error. */
  untilNote(text: string): Promise<string>
  /** Ctrl-C. */
  end(): Promise<Ended>
}

/** Runs a command in this process: many of them in the time that one process takes to start. */
export function run(args: readonly string[], env?: Environment): Promise<Ended> {
  return start(args, env).finished
}

export function start(args: readonly string[], env?: Environment, place?: Partial<Place>): Started {
  return startWith((io) => runCommand(args, io), env, place)
}

/** Where a command runs: in a terminal of 80 columns, by a user without files. */
type Place = Pick<Io, 'home' | 'columns'>

const newHome = temporaryFolders()
let sharedHome: string | undefined

/** One for all tests of a file: to make a key takes a moment. */
function homeOfAll(): string {
  sharedHome ??= newHome()
  return sharedHome
}

/** The same for a part of a command. */
export function startWith(
  act: (io: Io) => Promise<void>,
  env: Environment = {},
  { home = homeOfAll(), columns = 80 }: Partial<Place> = {},
): Started {
  let code = -1
  const stdout = new Growing()
  const stderr = new Growing()
  const atExit = new Set<() => void>()
  let interrupt: (exitCode: ExitCode) => void = () => {}
  const interrupted = new Promise<ExitCode>((resolve) => {
    interrupt = resolve
  })
  // As a shell has it: rehearsals find their programs by it.
  const { PATH = '' } = process.env
  const io: Io = {
    env: { PATH, ...env },
    folder: process.cwd(),
    home,
    columns,
    errorColumns: Number.POSITIVE_INFINITY,
    colours: { out: false, err: false },
    paint: painter(false),
    out: (line) => stdout.add(`${line}\n`),
    note: (line) => stderr.add(`${line}\n`),
    progress: () => {},
    onExit(last) {
      atExit.add(last)
      return () => void atExit.delete(last)
    },
    untilInterrupted: () => interrupted,
    finish(exitCode) {
      code = exitCode
    },
  }
  const finished = act(io).then((): Ended => {
    for (const last of atExit) last()
    for (const one of [stdout, stderr]) one.end(`it ended with ${code}: ${stderr.value}`)
    return { code, stdout: stdout.value, stderr: stderr.value }
  })
  return {
    finished,
    until: (wanted) => stdout.until(wanted),
    untilNote: (wanted) => stderr.until(wanted),
    end() {
      interrupt(exitCodes.interrupted)
      return finished
    },
  }
}
