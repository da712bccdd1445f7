import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** How a process of the docs' tests ended, and all that it printed. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that does not end must not outlive the test that started it. */
const limits: SpawnOptions = { timeout: 50_000, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe'] }

/** A process in an environment that names no gateway by chance. */
export function start(
  command: string,
  args: readonly string[],
  { env = {}, ...options }: { env?: Record<string, string>; cwd?: string } = {},
): ChildProcess {
  const { PATH = '' } = process.env
  return spawn(command, args, { ...limits, ...options, env: { PATH, ...env } })
}

export function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...said }))
  })
}
