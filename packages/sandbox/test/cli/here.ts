import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { type ExitCode, exitCodes } from '../../src/cli/failure.js'
import { run as runCommand } from '../../src/cli/program.js'
import { painter } from '../../src/cli/text.js'

type Io = Parameters<typeof runCommand>[1]

export type Environment = Readonly<Record<string, string>>

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

let sharedHome: string | undefined

/** One for all tests of a file: to make a key takes a moment. */
function homeOfAll(): string {
  sharedHome ??= mkdtempSync(join(tmpdir(), 'home-'))
  return sharedHome
}

afterAll(() => {
  if (sharedHome !== undefined) rmSync(sharedHome, { recursive: true, force: true })
})

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

/** Output as it comes, and who waits for what in it. */
class Growing {
  value = ''
  #waiting: { wanted: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = []

  add(chunk: string): void {
    this.value += chunk
    for (const { wanted, resolve } of this.#waiting) if (this.value.includes(wanted)) resolve(this.value)
  }

  until(wanted: string): Promise<string> {
    if (this.value.includes(wanted)) return Promise.resolve(this.value)
    return new Promise((resolve, reject) => this.#waiting.push({ wanted, resolve, reject }))
  }

  end(how: string): void {
    for (const { wanted, reject } of this.#waiting) reject(new Error(`${how}, without "${wanted}"`))
  }
}

/** Makes empty folders, for tests that run side by side. They are gone at the end of the file. */
export function temporaryFolders(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const one of made) if (existsSync(one)) rmSync(one, { recursive: true, force: true })
  })
  return () => {
    const path = mkdtempSync(join(tmpdir(), 'merchant-gateway-sandbox-'))
    made.push(path)
    return path
  }
}

/** A folder for each test that runs alone. */
export function temporaryFolder(): { readonly path: string } {
  const make = temporaryFolders()
  let path = ''
  beforeEach(() => {
    path = make()
  })
  return {
    get path() {
      return path
    },
  }
}

/** What no output may hold: keys, tokens, signatures, and the customer's account, name and e-mail address. */
export const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----(?!\\?")/,
  /(?<![\w-])eyJ[\w-]{4,}/,
  /[\w+/-]{100,}/,
  /canary/i,
  /000123-|(?<![0-9a-f])000123(?![0-9a-f])/,
  /0123456789/,
  /\S@\S/,
  /Jana/,
]

/** Escape sequences of a terminal. */
export const escapes = /\u001b\[/
