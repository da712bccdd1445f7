import { run } from '../src/program.js'
import { paragraph } from '../src/text.js'

type Io = Parameters<typeof run>[1]

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

/** Runs a command in this process, as in a pipe: many of them in the time that one process takes to start. */
export async function runHere(args: readonly string[], env: Environment = {}): Promise<Ended> {
  let code = 0
  let stdout = ''
  let stderr = ''
  const atExit = new Set<() => void>()
  const io: Io = {
    env,
    input: process.stdin,
    isInteractive: false,
    columns: 80,
    out(text, head = '') {
      io.raw(paragraph(text, head, Number.POSITIVE_INFINITY))
    },
    note(text, head = '') {
      stderr += `${paragraph(text, head, Number.POSITIVE_INFINITY)}\n`
    },
    raw(text) {
      stdout += `${text}\n`
    },
    onExit(act) {
      atExit.add(act)
      return () => void atExit.delete(act)
    },
    untilInterrupted: () => new Promise(() => {}),
    finish(exitCode) {
      code = exitCode
    },
  }
  await run(args, io)
  for (const act of atExit) act()
  return { code, stdout, stderr }
}
