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

const tester = Object.entries(process.env).flatMap(([name, value]) =>
  value === undefined ? [] : ([[name, value]] as const),
)
/** What a program needs of the tester's environment, and nothing that names a gateway or warns. */
const inherited = Object.fromEntries(tester.filter(([name]) => name === 'PATH' || name === 'HOME'))
/** What npm needs to reach its registry from where the tester is: proxies, authorities, its own settings. */
export const environmentOfNpm = Object.fromEntries(
  tester.filter(([name]) => /^(?:npm_config_.*|node_extra_ca_certs|(?:https?|no)_proxy)$/i.test(name)),
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
