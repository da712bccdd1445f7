import { spawn } from 'node:child_process'
import { root } from '../support/root.js'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Record<string, string>
  /** What it reads from its standard input. */
  readonly input?: string
}

/** Runs a program of the repository as a newcomer does, in an environment that names no gateway by chance. */
export function runNode(
  args: readonly string[],
  { env = {}, input = '' }: RunOptions = {},
): Promise<Finished> {
  const { PATH = '' } = process.env
  // A program that does not end must not outlive the test that started it.
  const limits = { timeout: 60_000, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH, ...env }, ...limits })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** What no output may hold: keys, tokens, signatures, and the customer's account, name and e-mail address. */
export const secrets: readonly RegExp[] = [
  /-----BEGIN/,
  /(?<![\w-])eyJ[\w-]{4,}/,
  /[\w+/-]{100,}/,
  /bearer\s+\S/i,
  // Not as part of a longer number: references, times and fingerprints may hold any six digits.
  /000123-|(?<![0-9a-f])000123(?![0-9a-f])/,
  /0123456789/,
  /\S@\S/,
  /Jana/,
]
