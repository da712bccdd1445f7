import { connect } from 'node:net'
import { CommandFailed, exitCodes } from '../../../../src/cli/exit-codes.js'
import { type ActText, commandFor } from '../../rehearse/act-text.js'
import type { ActAnswer, RehearsalApplication } from '../../rehearse/application.js'
import { actByHttp, askByHttp } from '../../rehearse/http.js'
import { ProcessGroup } from '../../rehearse/process-group.js'
import { sleep } from '../../rehearse/waiting.js'

/** How the merchant's application is started, what is done with it, and how it is asked. */
export interface ApplicationSettings {
  /** A command; without it the application runs already, or the act is all of it. */
  readonly start: string | undefined
  /** What goes before the act, and wrong nowhere. */
  readonly before: ActText | undefined
  readonly act: ActText
  /** An address that is asked whether a cart is paid. */
  readonly status: string | undefined
  /** What its answer contains when the cart is paid. */
  readonly paid: string | undefined
  /** Where the application listens when it has started; undefined when that can't be known. */
  readonly ready: { readonly host: string; readonly port: number } | undefined
  readonly patienceMs: number
  /** The arguments that name the same application again. */
  readonly args: readonly string[]
}

/** What the commands run with. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file that takes what they print. */
  readonly output: number | 'ignore'
  onExit(act: () => void): () => void
}

const START_MS = 30_000
const LOOK_AGAIN_MS = 100

/** The application, with the processes of it that this program has started. */
export class Application implements RehearsalApplication {
  readonly #settings: ApplicationSettings
  readonly #surroundings: Surroundings
  readonly #groups = new Set<ProcessGroup>()
  #started: ProcessGroup | undefined
  readonly status?: NonNullable<RehearsalApplication['status']>
  readonly restart?: NonNullable<RehearsalApplication['restart']>
  readonly before?: NonNullable<RehearsalApplication['before']>
  readonly actIsProgram: boolean
  readonly args: readonly string[]

  constructor(settings: ApplicationSettings, surroundings: Surroundings) {
    this.#settings = settings
    this.#surroundings = surroundings
    const { start, before, act, status, paid, patienceMs } = settings
    this.args = settings.args
    this.actIsProgram = start === undefined && act.kind === 'command'
    if (start !== undefined) this.restart = (signal) => this.#restart(start, signal)
    if (before !== undefined) this.before = (cart, signal) => this.#do(before, cart, signal)
    if (status !== undefined) {
      this.status = (cart, signal) => askByHttp(status, paid, cart, { signal, timeoutMs: patienceMs })
    }
    // However this process ends, they must not stay.
    surroundings.onExit(() => this.#killAll())
  }

  /** Starts the application, where it has to be, and waits until it listens. */
  async open(signal: AbortSignal): Promise<void> {
    const { start, ready } = this.#settings
    if (start === undefined) return
    if (ready !== undefined && (await listens(ready))) {
      throw new CommandFailed(
        `something listens at port ${ready.port} already: end it, because it does not talk to this sandbox.`,
      )
    }
    await this.#start(start, signal)
  }

  act(cart: number, signal: AbortSignal): Promise<ActAnswer> {
    return this.#do(this.#settings.act, cart, signal)
  }

  async #do(act: ActText, cart: number, signal: AbortSignal): Promise<ActAnswer> {
    if (act.kind === 'http') return actByHttp(act, cart, signal)
    const group = this.#spawn(commandFor(act.command, cart))
    const kill = () => group.kill()
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    const code = await group.ended
    signal.removeEventListener('abort', kill)
    this.#end(group)
    return { isDone: code === 0, says: code === undefined ? 'killed' : `exit code ${code}` }
  }

  /** Ends what was started. */
  async close(): Promise<void> {
    const started = this.#started
    this.#killAll()
    await started?.ended
  }

  async #restart(start: string, signal: AbortSignal): Promise<void> {
    const running = this.#started
    if (running !== undefined) {
      this.#end(running)
      await running.ended
    }
    await this.#start(start, signal)
  }

  async #start(command: string, signal: AbortSignal): Promise<void> {
    const group = this.#spawn(command)
    this.#started = group
    const { ready } = this.#settings
    if (ready === undefined) return
    const end = performance.now() + START_MS
    while (!(await listens(ready))) {
      if (group.hasEnded) throw notStarted(`it ended before it listened at port ${ready.port}`)
      if (performance.now() > end) {
        throw notStarted(`it did not listen at port ${ready.port} within ${START_MS / 1000} s`)
      }
      await sleep(LOOK_AGAIN_MS, signal)
    }
  }

  #spawn(command: string): ProcessGroup {
    const group = new ProcessGroup(command, this.#surroundings.env, this.#surroundings.output)
    this.#groups.add(group)
    return group
  }

  #end(group: ProcessGroup): void {
    group.kill()
    this.#groups.delete(group)
  }

  #killAll(): void {
    for (const group of this.#groups) this.#end(group)
  }
}

function notStarted(why: string): CommandFailed {
  return new CommandFailed(
    `the application could not be started: ${why}. --app-log FILE keeps what it prints.`,
    exitCodes.unreachable,
  )
}

function listens({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
