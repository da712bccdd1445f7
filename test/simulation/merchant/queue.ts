import type { PaymentVerdict } from '../../../src/jobs/index.js'
import type { Order } from '../plan.js'
import type { Entry } from '../world/scheduler.js'
import type { World } from '../world/world.js'

/** A job as it is stored. */
interface Job {
  readonly key: string
  readonly order: Order
  starts: number
  /** As it was stored: JSON, or what is left of it. */
  state: string | undefined
  isDone: boolean
  next: Entry | undefined
}

/** What a host is given to run. */
export interface JobRun {
  readonly key: string
  readonly order: Order
  readonly starts: number
  readonly state: unknown
}

/** Runs a job on some host that is up; undefined when none is. */
export type RunSomewhere = (run: JobRun, report: (verdict: PaymentVerdict<'payout'>) => void) => boolean

/** A person has looked, and starts it again. */
const personMs = 600_000
/** Nobody is up: tried again after so long. */
const nobodyMs = 5_000

/** An engine that runs each job at least once until it is done, and survives every crash of a host. */
export class JobQueue {
  readonly #world: World
  readonly #run: RunSomewhere
  readonly #leaseMs: number
  readonly #jobs: Job[] = []

  constructor(world: World, run: RunSomewhere) {
    this.#world = world
    this.#run = run
    this.#leaseMs = 2 * world.plan.settings.deadlineMs + 30_000
  }

  add(key: string, order: Order): void {
    const job: Job = { key, order, starts: 0, state: undefined, isDone: false, next: undefined }
    this.#jobs.push(job)
    this.#due(job, 0)
  }

  get isEmpty(): boolean {
    return this.#jobs.every(({ isDone }) => isDone)
  }

  #due(job: Job, inMs: number): void {
    if (job.next !== undefined) job.next.run = undefined
    const { scheduler, store } = this.#world
    job.next = scheduler.schedule(store, inMs, () => this.#start(job))
  }

  #start(job: Job): void {
    job.starts++
    // Whoever is not heard of within the lease is taken for dead, and may live.
    this.#due(job, this.#leaseMs)
    const { key, order, starts } = job
    const isRunning = this.#run({ key, order, starts, state: parsed(job.state) }, (verdict) => {
      if (starts === job.starts && !job.isDone) this.#ended(job, verdict)
    })
    if (isRunning) return
    job.starts--
    this.#due(job, nobodyMs)
  }

  #ended(job: Job, verdict: PaymentVerdict<'payout'>): void {
    const { spells } = this.#world
    if (verdict.then === 'done') {
      job.isDone = true
      if (job.next !== undefined) job.next.run = undefined
      return
    }
    const state = JSON.stringify(verdict.state)
    // A store that was killed while it wrote.
    const isTorn = spells.hit(spells.luck(`state of ${job.key}`), ['queue-loses'])
    job.state = isTorn === undefined ? state : state.slice(0, state.length / 2)
    if (verdict.then === 'again') this.#due(job, verdict.afterMs)
    else if (verdict.because === 'conflict') job.isDone = true
    else this.#due(job, personMs)
  }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
