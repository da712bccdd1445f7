import { setMaxListeners } from 'node:events'
import { limited } from '../../../../../src/client/input/limit.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'
import { Carts, firstCartAt } from '../../../rehearse/carts.js'
import { type Case, victimOf } from '../../../rehearse/case.js'
import { caseNamed, cases, clean } from '../../../rehearse/cases.js'
import { usualCalmMs } from '../../../rehearse/context.js'
import { type RehearsalGateway, type Route, routes } from '../../../rehearse/gateway.js'
import { type Learnt, learn } from '../../../rehearse/learn.js'
import { playAll } from '../../../rehearse/play-all.js'
import { whyNot } from '../../../rehearse/rehearsal.js'
import type { Result } from '../../../rehearse/result.js'
import { PageRefusal } from '../http/responses.js'
import type { PlayOrder } from '../orders.js'
import type { PageParts } from '../parts.js'

/** All cases, and again those that somebody has tried at other endpoints. */
const MOST_KEPT = 100
const PATIENCE_MS = 5000
const WAIT_MS = 10_000

interface Kept {
  readonly key: number
  readonly result: Result
  readonly route: Route | undefined
}

interface Playing {
  /** The case that is being played. */
  name: string
  done: number
  readonly all: number
  readonly abort: AbortController
}

/** What the page shows of rehearsals. */
export type Rehearsals = RehearsalRunner['state']
export type Rehearsed = Rehearsals['results'][number]

/** Plays cases one after the other against the merchant's application, and keeps how they went. */
export class RehearsalRunner {
  readonly #parts: PageParts
  readonly #gateway: RehearsalGateway
  readonly #application: RehearsalApplication | undefined
  #learnt: Learnt | undefined
  readonly #carts: Carts
  #results: readonly Kept[] = []
  #playing: Playing | undefined
  #problem: string | null = null
  #nextKey = 1

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#gateway = gatewayOf(parts)
    // By the time: an application that keeps its orders has not met these carts.
    this.#carts = new Carts(this.#gateway, firstCartAt(Date.now()))
    this.#application = parts.application
  }

  get state() {
    const application = this.#application
    const clean = this.#learnt && { key: 0, result: this.#learnt.result, route: undefined }
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
      playing: playing === undefined ? null : { name: playing.name, done: playing.done, all: playing.all },
      /** Why the last one could not be played. */
      problem: this.#problem,
      /** The history without a fault. */
      clean: clean === undefined ? null : shown(clean),
      /** The newest first. */
      results: this.#results.map(shown),
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
    const playing = { name: wanted[0]?.name ?? '', done: 0, all: wanted.length, abort: new AbortController() }
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
    const waits = { patienceMs: PATIENCE_MS, waitMs: WAIT_MS, calmMs: usualCalmMs }
    const context = { gateway: this.#gateway, application, carts: this.#carts, signal, ...waits }
    const learnt = this.#learnt ?? (await learn(context))
    // When nothing can be learnt, that is the result.
    if (learnt.reference === undefined) return this.#add(learnt.result, undefined, playing)
    this.#learnt = learnt
    await playAll(context, {
      cases: wanted,
      route,
      learnt,
      add: (result) => this.#add(result, route, playing),
      begin: ([name = '']) => {
        playing.name = name
        this.#parts.changes.notify()
      },
    })
  }

  /** Keeps a result. One of a cart that has one takes its place: a payment was made too late. */
  #add(result: Result, route: Route | undefined, playing: Playing): void {
    if (result.name === clean.name && this.#learnt !== undefined) {
      this.#learnt = { ...this.#learnt, result }
      return
    }
    const known = this.#results.find(({ result: { cart } }) => cart !== undefined && cart === result.cart)
    if (known !== undefined) {
      this.#results = this.#results.map((kept) => (kept === known ? { ...kept, result } : kept))
      return
    }
    this.#results = [{ key: this.#nextKey, result, route }, ...this.#results].slice(0, MOST_KEPT)
    this.#nextKey += 1
    playing.done += 1
  }
}

const noApplication: RehearsalApplication = { act: async () => ({ isDone: false, says: '' }) }

function shown({ key, result, route }: Kept) {
  const { name, title, verdict, payments, history } = result
  const held = payments.map(({ kind, id }) => ({ kind, id }))
  return { key, name, title, route: route ?? null, ...verdict, payments: held, history }
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
