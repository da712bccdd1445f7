import { spawn } from 'node:child_process'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Told each line of standard output when it is complete. */
  readonly onLine?: (line: string, end: (signal: NodeJS.Signals) => void) => void
}

/** What a program needs of the tester's environment, and nothing that names a gateway or warns. */
const kept = ['PATH', 'HOME', 'npm_config_registry', 'npm_config_cache', 'npm_config_userconfig']
const inherited = Object.fromEntries(
  kept.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const quiet = { DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' }

/** Runs a program to its end. One that does not end by itself is killed and has no code. */
export function run([file = '', ...args]: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, env = {}, timeoutMs = 60_000, onLine } = options
  const child = spawn(file, args, {
    cwd,
    env: { ...inherited, ...quiet, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let stderr = ''
  let told = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (let end = stdout.indexOf('\n', told); end >= 0; end = stdout.indexOf('\n', told)) {
      const line = stdout.slice(told, end)
      told = end + 1
      onLine?.(line, (signal) => void child.kill(signal))
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
