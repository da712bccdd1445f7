import type { Clock } from '../clock/clock.js'
import type { Pulse } from '../control/changes.js'
import { BoundedLog } from '../memory/bounded-log.js'
import type { Payment, PaymentKind, SandboxStatus } from '../payments/payment.js'
import { asRequest, type DeliverCallback } from './delivery.js'
import { type CallbackForm, checkForm } from './form.js'

/** One attempt to deliver one callback, in `sandbox.callbacks`. */
export interface SandboxCallback {
  /** When it was sent: milliseconds since 1970, by the sandbox's clock. */
  readonly at: number
  /** Whether it is about a payin or a payout. */
  readonly kind: PaymentKind
  /** The idPayin or idPayout that it is about. */
  readonly id: string
  /** The payment's status when the callback was made. The callback itself does not carry it (section 6). */
  readonly paymentStatus: SandboxStatus
  /** Where it was sent. */
  readonly url: string
  /** 1 for the first. */
  readonly attempt: number
  /** The receiver's HTTP status; undefined while it has not answered, or when it never did. */
  readonly answer: number | undefined
  /** Why there is no answer. */
  readonly error: string | undefined
}

/** How callbacks go out; delivery rules are a gap in section 6. */
export interface CallbackSettings {
  readonly deliver: DeliverCallback
  readonly body: (payment: Payment) => unknown
  readonly tries: number
  readonly retryAfterMs: number
  readonly timeoutMs: number
  readonly maxLogged: number
  /** Whether a URL leads to the sandbox itself. */
  readonly isOwn: (url: string) => boolean
  /** Beats when a status has changed, and when a delivery begins and ends. */
  readonly pulse: Pulse
}

interface Job {
  readonly payment: Payment
  readonly url: string
  readonly body: string | Error
  readonly status: string
  readonly form: CallbackForm
  /** How many deliveries of it are still to end. */
  pending: number
}

/** Sends a prepared callback: now, or later by the sandbox's clock. */
export type SendPrepared = (afterMs?: number) => void

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const MAX_UNDER_WAY = 50
const MAX_WAITING = 20_000
/** Of the callbacks that are waiting, under way, or to be repeated, with the payments that they hold. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024
const MAX_LOG_BYTES = 16 * 1024 * 1024

/** Sends callbacks: some at a time, each a few times, and never to the harm of the engine. */
export class CallbackSender {
  readonly #settings: CallbackSettings
  readonly #clock: Clock
  readonly #log: BoundedLog<SandboxCallback>
  readonly #closing = new AbortController()
  readonly #aborts = new Set<AbortController>()
  #waiting: (() => Promise<void>)[] = []
  #next = 0
  #underWay = 0
  #pendingBytes = 0
  #idle: (() => void)[] = []

  constructor(settings: CallbackSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#log = new BoundedLog(settings.maxLogged, MAX_LOG_BYTES)
  }

  get log(): SandboxCallback[] {
    return this.#log.toArray()
  }

  send(payment: Payment, form: CallbackForm = {}): void {
    checkForm(form)
    const send = this.prepare(payment, form)
    if (send === undefined) return
    for (let sent = 0; sent < (form.times ?? 1); sent += 1) send(form.afterMs)
  }

  /** The callback about the payment as it is now, to be sent whenever; undefined when nobody wants one. */
  prepare(payment: Payment, form: CallbackForm = {}): SendPrepared | undefined {
    this.#settings.pulse.beat()
    const url = payment.callbackUrl
    if (url === undefined) return undefined
    const body = form.body ?? this.#content(payment)
    const job: Job = { payment, url, body, status: payment.status, form, pending: 0 }
    return (afterMs) => this.#begin(job, afterMs)
  }

  /** Resolves when nothing is being delivered. A repetition that is still to come does not count. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox was closed.'))
    this.#waiting = []
    this.#next = 0
    this.#pendingBytes = 0
    for (const abort of this.#aborts) abort.abort(this.#closing.signal.reason)
    await this.idle()
  }

  clearLog(): void {
    this.#log.clear()
  }

  /** Made when the status changes and not when it is sent; what a test's function throws is kept for the log. */
  #content(payment: Payment): string | Error {
    try {
      const content = this.#settings.body(payment)
      return typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** A receiver that answers nothing must not make the sandbox grow: what is too much is not sent. */
  #begin(job: Job, afterMs: number | undefined): void {
    const bytes = job.pending === 0 ? bytesOf(job) : 0
    const isTooMuch = this.#pendingBytes > 0 && this.#pendingBytes + bytes > MAX_PENDING_BYTES
    if (this.#closing.signal.aborted || isTooMuch) return
    job.pending += 1
    this.#pendingBytes += bytes
    if (afterMs === undefined) this.#enqueue(job, 1)
    else this.#clock.schedule(afterMs, () => this.#enqueue(job, 1))
  }

  #end(job: Job): void {
    job.pending -= 1
    if (job.pending === 0) this.#pendingBytes -= bytesOf(job)
  }

  #enqueue(job: Job, attempt: number): void {
    if (this.#closing.signal.aborted) return
    if (this.#waiting.length - this.#next >= MAX_WAITING) {
      this.#end(job)
      return
    }
    this.#waiting.push(() => this.#attempt(job, attempt))
    this.#pump()
  }

  #pump(): void {
    while (this.#underWay < MAX_UNDER_WAY) {
      const start = this.#waiting[this.#next]
      if (start === undefined) break
      this.#next += 1
      if (this.#next === this.#waiting.length || this.#next > 1000) {
        this.#waiting = this.#waiting.slice(this.#next)
        this.#next = 0
      }
      this.#underWay += 1
      void start().finally(() => {
        this.#underWay -= 1
        this.#pump()
      })
    }
    if (!this.#isIdle()) return
    const waiters = this.#idle
    this.#idle = []
    for (const resolve of waiters) resolve()
  }

  #isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === this.#next
  }

  async #attempt(job: Job, attempt: number): Promise<void> {
    const entry: Mutable<SandboxCallback> = {
      at: this.#clock.now(),
      kind: job.payment.kind,
      id: job.payment.id,
      paymentStatus: job.status,
      url: job.url,
      attempt,
      answer: undefined,
      error: undefined,
    }
    this.#log.add(entry, job.url.length + job.payment.id.length + 200)
    this.#settings.pulse.beat()
    try {
      entry.answer = await this.#deliver(job)
    } catch (error) {
      entry.error = describe(error)
    }
    this.#settings.pulse.beat()
    const accepted = entry.answer !== undefined && entry.answer >= 200 && entry.answer < 300
    if (accepted || attempt >= this.#settings.tries) {
      this.#end(job)
      return
    }
    const delay = this.#settings.retryAfterMs * 2 ** (attempt - 1)
    this.#clock.schedule(delay, () => this.#enqueue(job, attempt + 1))
  }

  async #deliver({ url, body, form }: Job): Promise<number> {
    if (body instanceof Error) throw body
    // Its page sends callbacks when it is asked to, and would be asked by every one of them.
    if (this.#settings.isOwn(url)) throw new Error('Not sent: the callbackUrl is the sandbox itself.')
    const abort = new AbortController()
    const timeout = setTimeout(() => {
      abort.abort(new Error(`No answer within ${this.#settings.timeoutMs} ms.`))
    }, this.#settings.timeoutMs)
    timeout.unref()
    this.#aborts.add(abort)
    try {
      const callback = { url, ...asRequest(form, body), signal: abort.signal }
      // Raced, because a `deliver` that somebody wrote for a test may not look at its signal.
      const gaveUp = new Promise<never>((_resolve, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
      })
      const sent = this.#settings.deliver(callback)
      return (await Promise.race([sent, gaveUp])).status
    } finally {
      clearTimeout(timeout)
      this.#aborts.delete(abort)
    }
  }
}

function bytesOf({ payment, body }: Job): number {
  return payment.bytes + (typeof body === 'string' ? body.length * 2 : 0)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
