import { fieldAt, jsonOf } from '../common/json.js'
import { abortable, Limit } from '../common/limit.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import { hostOf } from './action-text.js'
import { Activity, isOpen } from './activity.js'
import type { ReadStatus } from './application.js'
import { Armed } from './armed.js'
import type { Case } from './case.js'
import type { Stage } from './context.js'
import type { ActionRecord } from './evidence.js'
import type { Note } from './history.js'
import { doByHttp } from './http.js'
import { answerTo, waitForQuiet, waitUntil } from './waiting.js'

/** What a customer may write into the address of the page after the payment. */
const claims = { status: 'SUCCESS', payment_status: 'paid', result: 'success', success: 'true', paid: '1' }

export interface Part extends Stage {
  readonly one: Case
  readonly round: number
  readonly order: number
}

export class Scene {
  readonly part: Part
  readonly activity: Activity
  readonly armed: Armed
  readonly actions: ActionRecord[] = []
  readonly notes: Note[] = []
  /** What the application's clock has shown last, in ms since 1970; NaN while it has shown none. */
  clockMs = Number.NaN
  /** Why what the case forces was not seen to happen; undefined as long as it was. */
  unmet: string | undefined
  /** Why it can't happen to this application; undefined as long as it can. */
  skipped: string | undefined
  #newestStatus = ''
  #asked: Promise<ReadStatus> | undefined
  readonly #over = new AbortController()

  constructor(part: Part) {
    this.part = part
    this.activity = new Activity(part.orders, part.order)
    this.armed = new Armed(part.one, part, this.activity)
  }

  note(who: Note['who'], text: string): void {
    this.notes.push({ at: this.part.gateway.clock.now(), who, text })
  }

  /** What the case forces was not seen to happen: of all reasons the first one stays. */
  miss(why: string): void {
    this.unmet ??= why
  }

  skip(why: string): void {
    this.skipped ??= why
  }

  get payments(): readonly SandboxPayment[] {
    return this.activity.payments.filter(({ kind }) => kind === this.part.reference.kind)
  }

  get isPaid(): boolean {
    return this.payments.some(({ status }) => status === 'SUCCESS')
  }

  until(holds: () => boolean | Promise<boolean>, withinMs = this.part.waitMs): Promise<boolean> {
    return waitUntil(holds, withinMs, this.part.signal)
  }

  /** Waits until the order has sent nothing new for so long; who polls sends the same request again and again. */
  quiet(forMs: number, withinMs = this.part.waitMs): Promise<void> {
    const what = () => this.activity.requests.map((one) => (one.method === 'GET' ? one.path : one))
    return waitForQuiet(() => new Set(what()).size, forMs, { signal: this.part.signal, waitMs: withinMs })
  }

  /** A payin is paid whose payout has to come: that follows it. */
  payOthers(): void {
    for (const payment of this.activity.payments) {
      if (payment.kind !== this.part.reference.kind && isOpen(payment)) payment.pay()
    }
  }

  async payNow(): Promise<void> {
    for (const payment of this.payments) payment.pay()
    await abortable(this.part.gateway.idle(), this.part.signal)
  }

  /** A person does the action, and waits for its response as long as a person does. */
  async action(killed?: AbortSignal): Promise<ActionRecord> {
    const { application, order, gateway, patienceMs, signal } = this.part
    const at = gateway.clock.now()
    const start = performance.now()
    this.note('customer', `places order ${order}`)
    const action = (ends: AbortSignal) => application.action(order, ends)
    const dies = application.actionIsProgram ? killed : undefined
    const { end, says } = await answerTo(action, patienceMs, signal, dies)
    const tookMs = Math.round(performance.now() - start)
    const how = { done: 'went well', 'too slow': 'takes too long', failed: 'failed' }[end]
    this.note('customer', `sees that it ${how}: ${says}`)
    const record = { end, says, at, tookMs }
    this.actions.push(record)
    return record
  }

  /** The customer comes back, looks at the status and does the action once more: while the callback is on its way, and after it. */
  async visit(): Promise<void> {
    const { application, gateway, order, patienceMs, signal } = this.part
    const again = () => answerTo((ends) => application.action(order, ends), patienceMs, signal)
    this.note('customer', `comes back, and places order ${order} again`)
    await Promise.all([again(), this.look()])
    await abortable(gateway.idle(), signal)
    this.note('customer', `places order ${order} once more`)
    await again()
  }

  /** At the order, and at the page after the payment. */
  look(): Promise<unknown> {
    return Promise.all([this.ask(), this.#follow(this.#returnUrl())])
  }

  /** Also with words in the address that anybody can write there. */
  async comeBack(): Promise<void> {
    const url = this.#returnUrl()
    if (url === undefined) return this.miss('the create names no returnUrl on this machine')
    const claiming = new URL(url)
    for (const [name, value] of Object.entries(claims)) claiming.searchParams.set(name, value)
    for (const one of [url, claiming.href]) {
      const how = one === url ? '' : ', which says SUCCESS,'
      const says = await this.#follow(one)
      this.note('customer', `comes back by the returnUrl${how} without having paid: ${says}`)
    }
  }

  /** A rehearsal stays on this machine. */
  #returnUrl(): string | undefined {
    const urls = this.activity.creates.map(({ bodyText }) => fieldAt(jsonOf(bodyText), 'returnUrl'))
    return urls.find((one): one is string => {
      return typeof one === 'string' && URL.canParse(one) && hostOf(one) !== undefined
    })
  }

  async #follow(url: string | undefined): Promise<string> {
    if (url === undefined) return ''
    const { order, patienceMs, signal } = this.part
    const visited = { method: 'GET', url, body: undefined }
    return (await answerTo((ends) => doByHttp(visited, order, ends), patienceMs, signal)).says
  }

  /** Kills the application and starts it again; returns whether that happened. A command for each action ends by itself. */
  async restart(what: string, laterMs?: number): Promise<boolean> {
    const { application, signal } = this.part
    this.note('application', what)
    if (application.restart === undefined) return true
    const problem = await application.restart(signal, laterMs)
    const later = laterMs ? `, with a clock that is ${Math.floor(laterMs / 60_000)} min later` : ''
    this.note('application', problem ?? `has started again${later}`)
    if (problem !== undefined) this.miss(problem)
    return problem === undefined
  }

  /** An application that has not answered yet is not asked again. */
  async ask(): Promise<ReadStatus | undefined> {
    const { application, order, patienceMs, signal } = this.part
    if (application.status === undefined) return undefined
    this.#asked ??= application.status(order, this.#over.signal).finally(() => {
      this.#asked = undefined
    })
    const patience = new Limit({ signals: [signal], ms: patienceMs })
    try {
      return await abortable(this.#asked, patience.signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!patience.signal.aborted) throw error
      return { says: 'nothing', read: `no response within ${patienceMs / 1000} s` }
    } finally {
      patience.release()
    }
  }

  end(): void {
    this.armed.disarm()
    this.armed.release()
    this.#over.abort(new Error('the case is over'))
  }

  async askAndNote(): Promise<ReadStatus | undefined> {
    const status = await this.ask()
    if (status === undefined) return undefined
    const { says, read, clockMs = this.clockMs } = status
    const text = `says ${says === 'nothing' ? 'nothing that can be read' : says} (${read})`
    if (text !== this.#newestStatus) this.note('application', text)
    this.#newestStatus = text
    this.clockMs = clockMs
    return status
  }
}
