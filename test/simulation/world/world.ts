import type { Plan } from '../plan.js'
import { Trace } from '../trace.js'
import { Machine } from './machine.js'
import type { Random } from './random.js'
import { Scheduler } from './scheduler.js'
import { Spells } from './spells.js'

const exact = { rate: 1, aheadMs: 0 }

/** One simulated world: its time, its machines, its bad luck, and what is written down of it. */
export class World {
  readonly plan: Plan
  readonly scheduler: Scheduler
  readonly spells: Spells
  readonly trace: Trace
  /** What belongs to no machine: the plan, the judge. */
  readonly nature: Machine
  readonly gateway: Machine
  /** The merchant's database, queue and shared rate limit. */
  readonly store: Machine
  readonly hosts: readonly Machine[]

  constructor(plan: Plan, epochMs: number, keepsTrace: boolean) {
    const { seed, settings } = plan
    const { clocks } = settings
    const machine = (name: string, n: number) => new Machine(name, `${seed}`, epochMs, clocks[n] ?? exact)
    this.plan = plan
    this.nature = new Machine('nature', `${seed}`, epochMs, exact)
    this.gateway = machine('gateway', 0)
    this.store = machine('store', 1)
    this.hosts = Array.from({ length: settings.hosts }, (_, n) => machine(`host-${n}`, n + 2))
    this.scheduler = new Scheduler(this.nature)
    this.spells = new Spells(this.scheduler, seed, plan.faults)
    this.trace = new Trace(() => this.scheduler.now, keepsTrace)
  }

  get now(): number {
    return this.scheduler.now
  }

  /** The machine whose program runs. */
  get here(): Machine {
    return this.scheduler.machine
  }

  /** How long a message takes in a network that does what it promises. */
  travelMs(luck: Random): number {
    const { baseMs, jitterMs } = this.plan.settings
    return baseMs + luck.whole(0, jitterMs)
  }

  /** Something happens on a machine, unless that stops before. */
  at(machine: Machine, inMs: number, happen: () => void): void {
    this.scheduler.schedule(machine, inMs, happen)
  }

  /** A pause of a program of the simulation's own: no timer of the library. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.here, ms, resolve))
  }

  /** Asks something of another machine that is near, and hears what came of it; never, when this one stops. */
  ask<T>(machine: Machine, name: string, answer: () => T): Promise<T> {
    const luck = this.spells.luck(name)
    const { here } = this
    const { life } = here
    return new Promise((resolve, reject) => {
      // To the life that asked, and not to the one that began meanwhile.
      const back = (settle: () => void) => {
        if (here.life === life) this.at(here, luck.whole(1, 3), settle)
      }
      this.at(machine, luck.whole(1, 3), () => {
        try {
          const value = answer()
          back(() => resolve(value))
        } catch (error) {
          back(() => reject(error))
        }
      })
    })
  }
}
