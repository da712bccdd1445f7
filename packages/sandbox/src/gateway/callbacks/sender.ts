import { setMaxListeners } from 'node:events'
import { abortable, limited } from '../../common/limit.js'
import type { Clock } from '../clock/clock.js'
import { Newest } from '../memory.js'
import type { CallbackSource, Payment } from '../payments/payment.js'
import type { Attempt, CallbackOrigin, SandboxCallback } from './attempt.js'
import { asRequest, type CallbackReply, type CallbackRequest, type DeliverCallback } from './delivery.js'
import { type CallbackForm, checkForm } from './form.js'

class TaskQueue {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  #waiting: (() => Promise<void>)[] = []
  #running = 0
  #idleListeners: (() => void)[] = []

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** Adds a task, which must not reject; false when too many wait, and then it never runs. */
  add(task: () => Promise<void>): boolean {
    if (this.#waiting.length >= this.#maxWaiting) return false
    this.#waiting.push(task)
    this.#startTasks()
    return true
  }

  clear(): void {
    this.#waiting = []
  }

  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#idleListeners.push(resolve))
  }

  #startTasks(): void {
    while (this.#running < this.#maxRunning) {
      const task = this.#waiting.shift()
      if (task === undefined) break
      this.#running += 1
      void task().finally(() => {
        this.#running -= 1
        this.#startTasks()
      })
    }
    if (!this.#isIdle()) return
    const listeners = this.#idleListeners
    this.#idleListeners = []
    for (const resolve of listeners) resolve()
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0
  }
}

/**
 * Whether the merchant was notified of a payment's present status: nothing was to be sent or it was withheld
 * (`none`), it is on its way (`waiting`), it failed and is sent again (`retrying`), it was given up (`failed`).
 */
type CallbackHealth = 'none' | 'waiting' | 'delivered' | 'retrying' | 'failed'

interface CallbackSettings {
  readonly deliver: DeliverCallback
  readonly timeoutMs: number
  readonly body: (payment: Payment) => unknown
  readonly tries: number
  readonly retryAfterMs: number
  readonly maxLogged: number
  /** Called when a status has changed, and when a delivery begins and ends. */
  readonly onChange: () => void
}

interface Callback {
  readonly payment: Payment
  readonly url: string
  readonly body: string | Error
  readonly status: string
  readonly form: CallbackForm
  readonly source: CallbackOrigin['source']
  readonly run: number
}

/** A callback with the content of the moment in which it was made. */
export interface PreparedCallback {
  send(afterMs?: number, fault?: CallbackOrigin['fault']): void
  withhold(fault: CallbackOrigin['fault']): void
}

const MAX_RUNNING = 50
const MAX_WAITING = 20_000

/** Sends callbacks, 50 at a time: each until a 2xx answers it, and `tries` times at most. */
export class CallbackSender {
  readonly #settings: CallbackSettings
  readonly #clock: Clock
  readonly #log: Newest<Attempt>
  /** How it is with the callbacks about the present status of each payment, for as long as the payment is held. */
  readonly #healths = new WeakMap<Payment, { readonly status: string; readonly health: CallbackHealth }>()
  readonly #closing = new AbortController()
  readonly #queue = new TaskQueue(MAX_RUNNING, MAX_WAITING)
  /** Deliveries of another run than this one have been forgotten. */
  #run = 0

  constructor(settings: CallbackSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#log = new Newest(settings.maxLogged)
    // 50 attempts at once are no leak.
    setMaxListeners(0, this.#closing.signal)
  }

  get log(): SandboxCallback[] {
    return [...this.#log].filter(({ isWithheld }) => !isWithheld).map(({ callback }) => callback)
  }

  deliveriesAbout({ kind, id }: Payment): Attempt[] {
    return [...this.#log].filter(({ callback }) => callback.kind === kind && callback.id === id)
  }

  healthOf(payment: Payment): CallbackHealth {
    const known = this.#healths.get(payment)
    return known?.status === payment.status ? known.health : 'none'
  }

  /** A callback about an older status changes nothing, and what was delivered stays delivered. */
  #note({ payment, status }: Callback, health: CallbackHealth): void {
    if (status !== payment.status || this.healthOf(payment) === 'delivered') return
    this.#healths.set(payment, { status, health })
  }

  send(payment: Payment, form: CallbackForm = {}, source: CallbackSource = 'code'): void {
    checkForm(form)
    const callback = this.#prepare(payment, form, source)
    for (let sent = 0; sent < (form.times ?? 1); sent += 1) callback?.send(form.afterMs)
  }

  /** Makes the callback about a change of status, to be sent now or later; undefined without a callbackUrl. */
  prepare(payment: Payment): PreparedCallback | undefined {
    return this.#prepare(payment, {}, 'change')
  }

  #prepare(
    payment: Payment,
    form: CallbackForm,
    source: CallbackOrigin['source'],
  ): PreparedCallback | undefined {
    this.#settings.onChange()
    const url = payment.callbackUrl
    if (url === undefined) return undefined
    const body = form.body ?? this.#content(payment)
    const { status } = payment
    const callback: Callback = { payment, url, body, form, source, status, run: this.#run }
    return {
      send: (afterMs, fault) => this.#begin(callback, afterMs, fault),
      withhold: (fault) => {
        this.#log.add({ ...this.#attemptOf(callback, 1, fault), isWithheld: true })
      },
    }
  }

  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#queue.clear()
    await this.idle()
  }

  clearLog(): void {
    this.#log.clear()
  }

  /** Sends nothing more of what waits; a delivery that is under way ends by itself. */
  forgetWaiting(): void {
    this.#run += 1
    this.#queue.clear()
  }

  /** The content, made when the status changes. An error of the option `callbackBody` goes into the log instead. */
  #content(payment: Payment): string | Error {
    try {
      const content = this.#settings.body(payment)
      return typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #begin(callback: Callback, afterMs: number | undefined, fault: CallbackOrigin['fault']): void {
    if (this.#closing.signal.aborted) return
    this.#note(callback, 'waiting')
    const start = () => this.#enqueue(callback, 1, fault)
    if (afterMs === undefined) start()
    else this.#clock.schedule(afterMs, start)
  }

  #end(callback: Callback, end: 'delivered' | 'failed'): void {
    if (callback.run !== this.#run) return
    this.#note(callback, end)
  }

  #enqueue(callback: Callback, attempt: number, fault: CallbackOrigin['fault']): void {
    if (this.#closing.signal.aborted || callback.run !== this.#run) return
    if (!this.#queue.add(() => this.#attempt(callback, attempt, fault))) this.#end(callback, 'failed')
  }

  #attemptOf(callback: Callback, attempt: number, fault: CallbackOrigin['fault']): Attempt {
    const { payment, status: paymentStatus, url, body, form, source } = callback
    const { kind, id } = payment
    const at = this.#clock.now()
    return {
      callback: {
        at,
        kind,
        id,
        paymentStatus,
        url,
        attempt,
        response: undefined,
        responseBody: undefined,
        error: undefined,
      },
      origin: { source, ...(fault === undefined ? {} : { fault }) },
      request: typeof body === 'string' ? asRequest(form, body) : undefined,
      isWithheld: false,
      tookMs: undefined,
      nextTryAt: undefined,
      isGivenUp: false,
    }
  }

  async #attempt(callback: Callback, attempt: number, fault: CallbackOrigin['fault']): Promise<void> {
    const { tries, retryAfterMs, onChange } = this.#settings
    const delivery = this.#attemptOf(callback, attempt, fault)
    this.#log.add(delivery)
    onChange()
    const isAccepted = await this.#take(callback, delivery)
    const isLast = isAccepted || attempt >= tries
    if (isLast) {
      delivery.isGivenUp = !isAccepted
      this.#end(callback, isAccepted ? 'delivered' : 'failed')
    } else {
      this.#note(callback, 'retrying')
      const delay = retryAfterMs * 2 ** (attempt - 1)
      delivery.nextTryAt = this.#clock.now() + delay
      this.#clock.schedule(delay, () => this.#enqueue(callback, attempt + 1, fault))
    }
    onChange()
  }

  /** One attempt, within its time and until the sandbox is closed; the option `deliver` may ignore its signal. */
  #carry(request: Omit<CallbackRequest, 'signal'>): Promise<CallbackReply> {
    const { deliver, timeoutMs } = this.#settings
    const { signal: closing } = this.#closing
    return limited({ signals: [closing], ms: timeoutMs }, async (signal) => {
      try {
        return await abortable(deliver({ ...request, signal }), signal)
      } catch (error) {
        if (closing.aborted) throw new Error('The sandbox was closed.')
        throw signal.aborted ? new Error(`No response within ${timeoutMs} ms.`) : error
      }
    })
  }

  async #take(callback: Callback, delivery: Attempt): Promise<boolean> {
    const began = performance.now()
    try {
      if (callback.body instanceof Error) throw callback.body
      const request = { url: callback.url, ...asRequest(callback.form, callback.body) }
      const { status, body } = await this.#carry(request)
      delivery.callback.response = status
      delivery.callback.responseBody = body
      return status >= 200 && status < 300
    } catch (error) {
      delivery.callback.error = describe(error)
      return false
    } finally {
      delivery.tookMs = performance.now() - began
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
