import { setMaxListeners } from 'node:events'
import { limited } from '../../../../../src/client/input/limit.js'
import { readAct } from '../../../rehearse/act-text.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'
import { Carts } from '../../../rehearse/carts.js'
import { type Case, caseNamed, cases } from '../../../rehearse/cases.js'
import { usualCalmMs } from '../../../rehearse/context.js'
import type { Reference } from '../../../rehearse/evidence.js'
import { exportedText } from '../../../rehearse/exported-text.js'
import { type RehearsalGateway, type Route, routes } from '../../../rehearse/gateway.js'
import { learn, type Result, rehearse, whyNot } from '../../../rehearse/rehearsal.js'
import type { Report } from '../../../rehearse/report.js'
import { vitestFileOf } from '../../../rehearse/vitest-file.js'
import { PageRefusal } from '../http/responses.js'
import type { ApplicationOrder, Exported, Rehearsals, Rehearsed } from '../messages/rehearse.js'
import type { PageParts } from '../parts/parts.js'

const MOST_KEPT = 20
const PATIENCE_MS = 5000
const WAIT_MS = 10_000

interface Kept {
  readonly key: number
  readonly result: Result
  readonly route: Route | undefined
}

/** Plays one case after the other against the merchant's application, and keeps how they went. */
export class RehearsalRunner {
  readonly #parts: PageParts
  readonly #gateway: RehearsalGateway
  readonly #isFixed: boolean
  #application: RehearsalApplication | undefined
  #learnt: { readonly result: Result; readonly reference: Reference } | undefined
  #carts = new Carts()
  #results: Kept[] = []
  #playing: { readonly name: string; readonly abort: AbortController } | undefined
  #problem: string | null = null
  #nextCart = 0
  #nextKey = 1

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#gateway = gatewayOf(parts)
    this.#application = parts.application
    this.#isFixed = parts.application !== undefined
  }

  get state(): Rehearsals {
    const application = this.#application
    const asked = { application: application ?? noApplication }
    return {
      act: application === undefined ? null : shownAct(application),
      named: application === undefined ? null : orderOf(application),
      isRepeatable: application?.args !== undefined,
      isFixed: this.#isFixed,
      impossible:
        this.#gateway.clock.mode === 'virtual'
          ? 'The clock of this sandbox stands still, and applications live in real time.'
          : null,
      cases: cases.map(({ name, title, of, ...rest }) => {
        return { name, title, of, impossible: whyNot({ name, title, of, ...rest }, asked) ?? null }
      }),
      playing: this.#playing?.name ?? null,
      problem: this.#problem,
      clean:
        this.#learnt === undefined ? null : shown({ key: 0, result: this.#learnt.result, route: undefined }),
      results: this.#results.map(shown),
    }
  }

  /** Another application: what was learnt of the one before says nothing of it. */
  setApplication(application: RehearsalApplication): void {
    if (this.#isFixed) throw new PageRefusal(409, 'The command line has named the application.')
    this.stop()
    this.#application = application
    this.#learnt = undefined
    this.#carts = new Carts()
    this.#results = []
    this.#problem = null
  }

  /** Begins to play a case; how it goes is in `state`. */
  play(name: string, route: string | undefined): void {
    const application = this.#application
    if (application === undefined) throw new PageRefusal(409, 'Say first what a customer does.')
    if (this.#playing !== undefined) throw new PageRefusal(409, 'Another case is being played.')
    if (this.state.impossible !== null) throw new PageRefusal(409, this.state.impossible)
    const one = caseNamed(name)
    if (one === undefined) throw new PageRefusal(400, 'There is no such case.')
    const chosen = routes.find((known) => known === route)
    if (route !== undefined && chosen === undefined) {
      throw new PageRefusal(400, `Cases are played at one of these endpoints: ${routes.join(', ')}.`)
    }
    const abort = new AbortController()
    const signals = [abort.signal, this.#parts.closing]
    const playing = { name: one.name, abort }
    this.#playing = playing
    this.#problem = null
    void limited({ signals }, (signal) => {
      setMaxListeners(0, signal)
      return this.#playOne(one, chosen, application, signal)
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

  /** @throws PageRefusal */
  exported(key: number): Exported {
    const found = this.#results.find((one) => one.key === key)
    const learnt = this.#learnt
    const args = this.#application?.args
    if (found === undefined) throw new PageRefusal(404, 'There is no such rehearsal.')
    const { name } = found.result
    const routeArgs = found.route === undefined ? [] : ['--route', found.route]
    const report: Report = {
      args: [...(args ?? []), '--cases', name, ...routeArgs],
      // When nothing could be learnt, that is what the rehearsal has found.
      results: learnt === undefined ? [found.result] : [learnt.result, found.result],
    }
    if (args === undefined) {
      throw new PageRefusal(
        409,
        'An application that was given by code has no command that a test could run: name it on the command line, as in merchant-gateway-sandbox --start … --act ….',
      )
    }
    return { fileName: `rehearsal-${name}.test.mjs`, text: vitestFileOf(report) }
  }

  async #playOne(
    one: Case,
    route: Route | undefined,
    application: RehearsalApplication,
    signal: AbortSignal,
  ): Promise<void> {
    const waits = { patienceMs: PATIENCE_MS, waitMs: WAIT_MS, calmMs: usualCalmMs }
    const context = { gateway: this.#gateway, application, carts: this.#carts, signal, ...waits }
    // By the time: an application that keeps its orders has not met these carts.
    this.#nextCart = Math.max(this.#nextCart, Math.floor(Date.now() / 1000))
    if (this.#learnt === undefined) {
      const { result, reference } = await learn(context, this.#nextCart)
      this.#nextCart += 2
      if (reference === undefined) {
        this.#keep(result, undefined)
        return
      }
      this.#learnt = { result, reference }
      this.#parts.changes.notify()
    }
    const result = await rehearse(one, this.#nextCart, this.#learnt.reference, context, route)
    this.#nextCart += 1
    this.#keep(result, route)
  }

  #keep(result: Result, route: Route | undefined): void {
    this.#results = [{ key: this.#nextKey, result, route }, ...this.#results].slice(0, MOST_KEPT)
    this.#nextKey += 1
  }
}

const noApplication: RehearsalApplication = { act: async () => ({ isDone: false, says: '' }) }

function shownAct(application: RehearsalApplication): string {
  const act = argumentOf(application, '--act')
  return act === undefined ? 'a function of your code' : exportedText(act)
}

/** What the form of the page would have to say for the same application. */
function orderOf(application: RehearsalApplication): ApplicationOrder | null {
  const act = argumentOf(application, '--act')
  if (act === undefined || readAct(act).kind !== 'http') return null
  const more = (['before', 'status', 'paid'] as const).flatMap((name) => {
    const text = argumentOf(application, `--${name}`)
    return text === undefined ? [] : [[name, text]]
  })
  // What may hold a secret is in no link.
  const acts = [act, argumentOf(application, '--before'), argumentOf(application, '--status')]
  if (acts.some((text) => text !== undefined && exportedText(text) !== text)) return null
  return { act, ...Object.fromEntries(more) }
}

function argumentOf(application: RehearsalApplication | undefined, name: string): string | undefined {
  const { args = [] } = application ?? {}
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}

function shown({ key, result, route }: Kept): Rehearsed {
  const { name, title, verdict, payments, history } = result
  const held = payments.map(({ kind, id }) => ({ kind, id }))
  const { outcome, sentence } = verdict
  return { key, name, title, route: route ?? null, outcome, sentence, payments: held, history }
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
