import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limited } from '../../common/limit.js'
import { type ActionText, commandFor, endOf, isRequest } from '../../rehearse/action-text.js'
import type { ActionResult, ReadStatus, RehearsalApplication } from '../../rehearse/application.js'
import { askByHttp, doByHttp } from '../../rehearse/http.js'
import { type Marks, readStatus } from '../../rehearse/paid.js'
import { ProcessGroup } from '../../rehearse/process-group.js'
import { waitUntil } from '../../rehearse/waiting.js'
import { CommandFailed, exitCodes } from '../failure.js'
import type { Io } from '../io.js'
import { laterClock } from './later-clock.js'

export interface ApplicationSettings {
  /** A command; without it the application runs already, or the action is all of it. */
  readonly start: string | undefined
  readonly before: ActionText | undefined
  readonly action: ActionText
  readonly status: ActionText | undefined
  readonly marks: Marks
  /** Where the application listens when it has started; undefined when that can't be known. */
  readonly ready: { readonly host: string; readonly port: number } | undefined
  readonly patienceMs: number
  readonly actionText: string
}

type Environment = Readonly<Record<string, string | undefined>>

const START_MS = 30_000
/** How long a port may go on after its process was killed. */
const SILENT_MS = 2000

export class Application implements RehearsalApplication {
  readonly #settings: ApplicationSettings
  readonly #io: Pick<Io, 'onExit'>
  readonly #environment: () => Environment
  readonly #output: number | 'ignore'
  readonly #groups = new Set<ProcessGroup>()
  #started: ProcessGroup | undefined
  readonly status?: NonNullable<RehearsalApplication['status']>
  readonly restart?: NonNullable<RehearsalApplication['restart']>
  readonly before?: NonNullable<RehearsalApplication['before']>
  readonly actionIsProgram: boolean
  readonly actionText: string

  /** @param output the file that takes what its commands print */
  constructor(
    settings: ApplicationSettings,
    io: Pick<Io, 'onExit'>,
    environment: () => Environment,
    output: number | 'ignore' = 'ignore',
  ) {
    this.#settings = settings
    this.#io = io
    this.#environment = environment
    this.#output = output
    const { start, before, action, status } = settings
    this.actionText = settings.actionText
    this.actionIsProgram = start === undefined && action.kind === 'command' && !isRequest(action)
    if (start !== undefined) this.restart = (signal, laterMs) => this.#restart(start, signal, laterMs)
    if (before !== undefined) this.before = (order, signal) => this.#do(before, order, signal)
    if (status !== undefined) this.status = (order, signal) => this.#ask(status, order, signal)
    // However this process ends, they must not stay.
    io.onExit(() => this.#killAll())
  }

  async open(signal: AbortSignal): Promise<void> {
    const { start, ready } = this.#settings
    if (start === undefined) return
    if (ready !== undefined && (await listens(ready))) {
      throw new CommandFailed(
        `something listens at port ${ready.port} already. End it, because it does not talk to this sandbox.`,
      )
    }
    await this.#start(start, signal)
  }

  /** What its command has left behind may go on, and listen. */
  async ended(): Promise<string | undefined> {
    const { ready } = this.#settings
    if (this.#started?.hasEnded !== true || ready === undefined || (await listens(ready))) return undefined
    const code = await this.#started.ended
    return code === undefined ? 'killed' : `exit code ${code}`
  }

  action(order: number, signal: AbortSignal): Promise<ActionResult> {
    return this.#do(this.#settings.action, order, signal)
  }

  async #do(action: ActionText, order: number, signal: AbortSignal): Promise<ActionResult> {
    if (action.kind === 'http') return doByHttp(action, order, signal)
    const { code, printed } = await this.#run(commandFor(action.command, order), signal)
    return { isDone: code === 0, says: endOf(code, printed) }
  }

  async #ask(status: ActionText, order: number, signal: AbortSignal): Promise<ReadStatus> {
    const { marks } = this.#settings
    if (status.kind === 'http') return askByHttp(status.url, marks, order, signal)
    const { code, printed } = await this.#run(commandFor(status.command, order), signal)
    signal.throwIfAborted()
    if (code !== 0) return { says: 'nothing', read: endOf(code, printed) }
    return readStatus('exit code 0', 200, printed, marks)
  }

  async #run(command: string, signal: AbortSignal): Promise<{ code: number | undefined; printed: string }> {
    // A file, and no pipe: what a command has left running would keep that open.
    const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-action-'))
    const forget = this.#io.onExit(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'printed')
    const opened = openSync(file, 'wx', 0o600)
    const group = this.#spawn(command, opened)
    const kill = () => group.kill()
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    const code = await group.ended
    signal.removeEventListener('abort', kill)
    this.#end(group)
    closeSync(opened)
    const printed = readFileSync(file, 'utf8')
    if (this.#output !== 'ignore') writeSync(this.#output, printed)
    forget()
    rmSync(folder, { recursive: true, force: true })
    return { code, printed }
  }

  /** Ends what was started, and waits until nothing listens there any more: the next one wants the port. */
  async close(): Promise<void> {
    const started = this.#started
    const { ready } = this.#settings
    this.#killAll()
    await started?.ended
    if (started === undefined || ready === undefined) return
    await waitUntil(async () => !(await listens(ready)), SILENT_MS, new AbortController().signal)
  }

  async #restart(start: string, signal: AbortSignal, laterMs?: number): Promise<string | undefined> {
    const clock = laterMs === undefined ? {} : laterClock(laterMs)
    if (clock === undefined) return 'libfaketime is not installed, which would move its clock'
    const running = this.#started
    const { ready } = this.#settings
    const hadEnded = running?.hasEnded === true
    if (running !== undefined) {
      this.#end(running)
      await running.ended
    }
    if (ready === undefined && hadEnded) {
      return 'the command of --start had ended before, and what it left behind can not be killed'
    }
    const isSilent = async () => ready === undefined || !(await listens(ready))
    if (!(await waitUntil(isSilent, SILENT_MS, signal))) {
      return `port ${ready?.port} still answers after the kill: what listens has a group of its own`
    }
    await this.#start(start, signal, clock)
    return undefined
  }

  async #start(command: string, signal: AbortSignal, clock: Environment = {}) {
    const group = this.#spawn(command, this.#output, clock)
    this.#started = group
    const { ready } = this.#settings
    if (ready === undefined) return
    // What ended well may have left behind what listens.
    const hasFailed = async () => group.hasEnded && (await group.ended) !== 0
    const isThere = async () => (await listens(ready)) || hasFailed()
    const inTime = await waitUntil(isThere, START_MS, signal)
    if (await hasFailed()) throw notStarted(`it ended before it listened at port ${ready.port}`)
    if (!inTime) throw notStarted(`it did not listen at port ${ready.port} within ${START_MS / 1000} s`)
  }

  #spawn(command: string, output = this.#output, clock: Environment = {}) {
    const group = new ProcessGroup(command, { ...this.#environment(), ...clock }, output)
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
    `the application could not be started: ${why}. Read what it prints with --app-log FILE.`,
    exitCodes.unreachable,
  )
}

function listens(at: { readonly host: string; readonly port: number }): Promise<boolean> {
  const socket = connect(at)
  const connected = limited({ ms: 1000 }, (signal) => once(socket, 'connect', { signal }))
  return connected.then(Boolean, () => false).finally(() => socket.destroy())
}
