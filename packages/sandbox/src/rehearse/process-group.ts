import { type ChildProcess, spawn } from 'node:child_process'

/** `npm start` is three processes, and a power cut ends all. What makes a group of its own (a daemon) gets away. */
export class ProcessGroup {
  readonly #child: ChildProcess
  /** Resolves with the exit code when the shell has ended; undefined when it was killed or couldn't be started. */
  readonly ended: Promise<number | undefined>

  /** @param output the file that takes both outputs; they are thrown away without one */
  constructor(command: string, env: Readonly<Record<string, string | undefined>>, output: number | 'ignore') {
    this.#child = spawn(command, { shell: true, detached: true, env, stdio: ['ignore', output, output] })
    this.ended = new Promise<number | undefined>((resolve) => {
      this.#child.on('error', () => resolve(undefined))
      this.#child.on('exit', (code) => resolve(code ?? undefined))
    })
  }

  get hasEnded(): boolean {
    const { exitCode, pid, signalCode } = this.#child
    return pid === undefined || exitCode !== null || signalCode !== null
  }

  /** Ends all of it at once (SIGKILL). What the shell has left behind is ended, too. */
  kill(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nothing of the group is left; or this system has no groups, and only the shell can be ended.
      this.#child.kill('SIGKILL')
    }
  }
}
