import { spawn } from 'node:child_process'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import { type Environment, Growing } from '../../../test/support/commands.js'
import { root } from '../../../test/support/root.js'
import { builtFromSources } from './binary.js'

export {
  type Environment,
  escapes,
  secrets,
  temporaryFolder,
  temporaryFolders,
} from '../../../test/support/commands.js'

export const binary = builtFromSources('packages/cli', 'src/bin.ts')

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Environment | undefined
  readonly input?: string
  readonly cwd?: string
}

/** Nothing of the tester's own environment, which may name a gateway, reaches the program. */
function environment(env: Environment = {}): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, ...env }
}

/** A program under way in a pipe. */
export interface Running {
  readonly finished: Promise<Finished>
  /** Resolves when standard output holds the text. */
  until(text: string): Promise<string>
  /** The same for standard error. */
  untilNote(text: string): Promise<string>
  signal(signal: NodeJS.Signals): void
  /** Closes the reading end of its standard output, as `head` does. */
  stopReading(): void
}

/** Starts the program with pipes on all three ends. */
export function start(args: readonly string[], { env, input = '', cwd = root }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: environment(env),
  })
  const text = new Growing()
  const notes = new Growing()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => text.add(chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => notes.add(chunk))
  child.stdin.on('error', () => {}).end(input)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      for (const one of [text, notes]) one.end(`it ended with ${code}: ${notes.value}`)
      resolve({ code, stdout: text.value, stderr: notes.value })
    })
  })
  return {
    finished,
    until: (wanted) => text.until(wanted),
    untilNote: (wanted) => notes.until(wanted),
    signal: (signal) => void child.kill(signal),
    stopReading: () => void child.stdout.destroy(),
  }
}

/** Runs the program to its end, in pipes. */
export function run(args: readonly string[], options?: RunOptions): Promise<Finished> {
  return start(args, options).finished
}

/** A program under way in a terminal. */
export interface Session {
  readonly finished: Promise<{ readonly code: number; readonly screen: string }>
  until(text: string): Promise<string>
  type(text: string): void
}

export const ctrlC = '\u0003'

/** Starts the program in a terminal of its own. */
export function inTerminal(
  args: readonly string[],
  env?: Environment,
  columns = 100,
  cwd: string = root,
): Session {
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    cwd,
    // It becomes TERM, whatever env says.
    name: env?.TERM ?? 'xterm-256color',
    cols: columns,
    rows: 40,
    env: environment(env),
  })
  const text = new Growing()
  terminal.onData((chunk) => text.add(chunk))
  const finished = new Promise<{ code: number; screen: string }>((resolve) => {
    terminal.onExit(({ exitCode, signal = 0 }) => {
      // Killed by a signal, it has no code of its own.
      const code = signal === 0 ? exitCode : 128 + signal
      text.end(`it ended with ${code}`)
      resolve({ code, screen: text.value })
    })
  })
  return { finished, until: (wanted) => text.until(wanted), type: (keys) => terminal.write(keys) }
}
