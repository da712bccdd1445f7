import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limited } from '../../common/limit.js'
import { type ActionText, commandFor, endOf, isRequest, withOrder } from '../../rehearse/action-text.js'
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

/** Where its commands run. */
interface Place extends Pick<Io, 'onExit'> {
  readonly environment: Environment
  /** The file that takes what its commands print. */
  readonly output: number | 'ignore'
}

const START_MS = 30_000
/** How long a port may go on after its process was killed. */
const SILENT_MS = 2000

export class Application implements RehearsalApplication {
  readonly #settings: ApplicationSettings
  readonly #place: Place
  readonly #groups = new Set<ProcessGroup>()
  #started: ProcessGroup | undefined
  readonly status?: NonNullable<RehearsalApplication['status']>
  readonly restart?: NonNullable<RehearsalApplication['restart']>
  readonly before?: NonNullable<RehearsalApplication['before']>
  readonly actionIsProgram: boolean
  readonly actionText: string

  constructor(settings: ApplicationSettings, place: Place) {
    this.#settings = settings
    this.#place = place
    const { start, before, action, status } = settings
    this.actionText = settings.actionText
    this.actionIsProgram = start === undefined && action.kind === 'command' && !isRequest(action)
    if (start !== undefined) this.restart = (signal, laterMs) => this.#restart(start, signal, laterMs)
    if (before !== undefined) this.before = (order, signal) => this.#do(before, order, signal)
    if (status !== undefined) this.status = (order, signal) => this.#ask(status, order, signal)
    // However this process ends, they must not stay.
    place.onExit(() => this.#killAll())
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
    if (status.kind === 'http') return askByHttp(withOrder(status.url, order), marks, signal)
    const { code, printed } = await this.#run(commandFor(status.command, order), signal)
    signal.throwIfAborted()
    if (code !== 0) return { says: 'nothing', read: endOf(code, printed) }
    return readStatus('exit code 0', 200, printed, marks)
  }

  async #run(command: string, signal: AbortSignal): Promise<{ code: number | undefined; printed: string }> {
    // A file, and no pipe: what a command has left running would keep that open.
    const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-action-'))
    const forget = this.#place.onExit(() => rmSync(folder, { recursive: true, force: true }))
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
    const { output } = this.#place
    if (output !== 'ignore') writeSync(output, printed)
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
    const group = this.#spawn(command, this.#place.output, clock)
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

  #spawn(command: string, output = this.#place.output, clock: Environment = {}) {
    const group = new ProcessGroup(command, { ...this.#place.environment, ...clock }, output)
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
