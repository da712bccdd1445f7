import { setMaxListeners } from 'node:events'
import { limited } from '../../../../../../src/client/input/limit.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'
import { Carts } from '../../../rehearse/carts.js'
import { type Case, victimOf } from '../../../rehearse/case.js'
import { caseNamed, cases, clean } from '../../../rehearse/cases.js'
import { usualWaits } from '../../../rehearse/context.js'
import { type RehearsalGateway, type Route, routes } from '../../../rehearse/gateway.js'
import { type Learnt, learn } from '../../../rehearse/learn.js'
import { playAll } from '../../../rehearse/play-all.js'
import { whyNot } from '../../../rehearse/rehearsal.js'
import type { Result } from '../../../rehearse/result.js'
import { PageRefusal } from '../http/responses.js'
import type { PlayOrder } from '../orders.js'
import type { PageParts } from '../parts.js'

interface Playing {
  /** The case that is being played, and how many were asked for. */
  readonly shown: { name: string; readonly all: number }
  /** Those that were played already. */
  readonly done: Set<string>
  readonly abort: AbortController
}

/** What the page shows of rehearsals. */
export type Rehearsals = RehearsalRunner['state']
export type Rehearsed = ReturnType<typeof shown>

/** Plays cases against the merchant's application, and keeps how each went last at each endpoint. */
export class RehearsalRunner {
  readonly #parts: PageParts
  readonly #gateway: RehearsalGateway
  readonly #application: RehearsalApplication | undefined
  #learnt: Learnt | undefined
  readonly #carts: Carts
  /** The newest last. */
  readonly #results = new Map<string, Rehearsed>()
  #playing: Playing | undefined
  #problem: string | null = null

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#gateway = gatewayOf(parts)
    this.#carts = new Carts(this.#gateway)
    this.#application = parts.application
  }

  get state() {
    const application = this.#application
    const playing = this.#playing
    return {
      /** Whether the command line or a program has named the application: a page must not start programs. */
      isNamed: application !== undefined,
      impossible: this.#impossible,
      cases: cases.map((one) => ({
        name: one.name,
        title: one.title,
        of: victimOf(one),
        /** Why it can't be played here; null when it can. */
        impossible: whyNot(one, { application: application ?? noApplication }) ?? null,
      })),
      /** What is being played, and how many cases of how many were. */
      playing: playing === undefined ? null : { ...playing.shown, done: playing.done.size },
      /** Why the last one could not be played. */
      problem: this.#problem,
      /** The history without a fault. */
      clean: this.#learnt === undefined ? null : shown(this.#learnt.result),
      /** The newest first. */
      results: [...this.#results.values()].reverse(),
    }
  }

  get #impossible(): string | null {
    return this.#gateway.clock.mode === 'virtual'
      ? 'The clock of this sandbox stands still, and applications live in real time.'
      : null
  }

  /** Begins to play a case, or all that can be played; how it goes is in `state`. */
  play({ name, route }: PlayOrder): void {
    const application = this.#application
    if (application === undefined) throw new PageRefusal(409, 'Name the application on the command line.')
    if (this.#playing !== undefined) throw new PageRefusal(409, 'Another case is being played.')
    if (this.#impossible !== null) throw new PageRefusal(409, this.#impossible)
    const wanted = name === undefined ? cases : cases.filter((one) => one === caseNamed(name))
    if (wanted.length === 0) throw new PageRefusal(400, 'There is no such case.')
    const chosen = routes.find((known) => known === route)
    if (route !== undefined && chosen === undefined) {
      throw new PageRefusal(400, `Cases are played at one of these endpoints: ${routes.join(', ')}.`)
    }
    const playing = {
      shown: { name: wanted[0]?.name ?? '', all: wanted.length },
      done: new Set<string>(),
      abort: new AbortController(),
    }
    const signals = [playing.abort.signal, this.#parts.closing]
    this.#playing = playing
    this.#problem = null
    void limited({ signals }, (signal) => {
      setMaxListeners(0, signal)
      return this.#playAll(wanted, chosen, application, playing, signal)
    })
      .catch((error: unknown) => {
        if (signals.every(({ aborted }) => !aborted))
          this.#problem = error instanceof Error ? error.message : String(error)
      })
      .finally(() => {
        if (this.#playing === playing) this.#playing = undefined
        this.#parts.changes.notify()
      })
  }

  stop(): void {
    this.#playing?.abort.abort(new Error('The rehearsal was stopped.'))
    this.#playing = undefined
  }

  async #playAll(
    wanted: readonly Case[],
    route: Route | undefined,
    application: RehearsalApplication,
    playing: Playing,
    signal: AbortSignal,
  ): Promise<void> {
    const context = { gateway: this.#gateway, application, carts: this.#carts, signal, ...usualWaits }
    const learnt = this.#learnt ?? (await learn(context))
    // When nothing can be learnt, that is the result.
    if (learnt.reference === undefined) return this.#add(learnt.result, undefined, playing)
    this.#learnt = learnt
    // What could not be learnt before is learnt now.
    this.#results.delete(placeOf(learnt.result))
    await playAll(context, {
      cases: wanted,
      route,
      learnt,
      add: (result) => this.#add(result, route, playing),
      begin: ([name = '']) => {
        playing.shown.name = name
        this.#parts.changes.notify()
      },
    })
  }

  #add(result: Result, route: Route | undefined, playing: Playing): void {
    if (result.name === clean.name && this.#learnt !== undefined) {
      this.#learnt = { ...this.#learnt, result }
      return
    }
    const place = placeOf(result, route)
    this.#results.delete(place)
    this.#results.set(place, shown(result, route))
    playing.done.add(result.name)
  }
}

const noApplication: RehearsalApplication = { act: async () => ({ isDone: false, says: '' }) }

/** The case, and where it was played. */
function placeOf({ name }: Result, route?: Route): string {
  return `${name} ${route ?? 'at the create'}`
}

function shown({ name, title, verdict, payments, history }: Result, route?: Route) {
  const held = payments.map(({ kind, id }) => ({ kind, id }))
  return { name, title, route: route ?? null, ...verdict, payments: held, history }
}

/** The sandbox can't stop listening: the page would be gone with it. */
function gatewayOf({ clock, ledger, log, callbacks, faults, callbackFaults }: PageParts): RehearsalGateway {
  return {
    clock,
    payins: ledger.payins,
    payouts: ledger.payouts,
    get requests() {
      return log.toArray()
    },
    get callbacks() {
      return callbacks.log
    },
    fault: (fault) => faults.arm(fault),
    callbackFault: (fault) => callbackFaults.arm(fault),
    idle: () => callbackFaults.idle(),
  }
}
