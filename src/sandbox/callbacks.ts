import { BoundedLog } from './bounded-log.js'
import { type CallbackForm, checkForm, inChunks } from './callback-form.js'
import type { Clock } from './clock.js'
import type { Payment, PaymentKind, SandboxStatus } from './payment.js'
import type { Pulse } from './pulse.js'

/** A callback on its way out: an HTTP POST, unless `sendCallback` was told otherwise. */
export interface CallbackRequest {
  /** The payment's `callbackUrl`. */
  readonly url: string
  /** HTTP method. */
  readonly method: string
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty for GET and HEAD. */
  readonly body: string
  /** How the body goes out in pieces; undefined for a whole one. */
  readonly chunked:
    | {
        /** How many pieces. */
        readonly chunks: number
        /** Between two pieces: milliseconds of real time. */
        readonly gapMs: number
      }
    | undefined
  /** Aborts at `callbackTimeoutMs` and when the sandbox is closed. */
  readonly signal: AbortSignal
}

/** How the merchant answered a callback. */
export interface CallbackReply {
  /** HTTP status; a 2xx ends the repetitions. */
  readonly status: number
}

/** Carries a callback to the merchant and says with which status it was answered. */
export type DeliverCallback = (callback: CallbackRequest) => Promise<CallbackReply>

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
  /** Beats when a status has changed, and when a delivery begins and ends. */
  readonly pulse: Pulse
}

interface Job {
  readonly payment: Payment
  readonly url: string
  readonly body: string | Error
  readonly status: string
  readonly form: CallbackForm
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const MAX_UNDER_WAY = 50
const MAX_WAITING = 20_000
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
    const sendAll = () => {
      for (let sent = 0; sent < (form.times ?? 1); sent += 1) send()
    }
    if (form.afterMs === undefined) sendAll()
    else this.#clock.schedule(form.afterMs, sendAll)
  }

  /** The callback about the payment as it is now, to be sent whenever; undefined when nobody wants one. */
  prepare(payment: Payment, form: CallbackForm = {}): (() => void) | undefined {
    this.#settings.pulse.beat()
    const url = payment.callbackUrl
    if (url === undefined) return undefined
    const body = form.body ?? this.#content(payment)
    const job: Job = { payment, url, body, status: payment.status, form }
    return () => this.#enqueue(job, 1)
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

  #enqueue(job: Job, attempt: number): void {
    // A receiver that answers nothing must not make the sandbox grow.
    if (this.#closing.signal.aborted || this.#waiting.length - this.#next >= MAX_WAITING) return
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
    if (accepted || attempt >= this.#settings.tries) return
    const delay = this.#settings.retryAfterMs * 2 ** (attempt - 1)
    this.#clock.schedule(delay, () => this.#enqueue(job, attempt + 1))
  }

  async #deliver({ url, body, form }: Job): Promise<number> {
    if (body instanceof Error) throw body
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

/** Everything of a callback but where it goes. */
function asRequest(form: CallbackForm, body: string): Omit<CallbackRequest, 'url' | 'signal'> {
  const { method = 'POST', contentType = 'application/json', chunks, chunkGapMs: gapMs = 0 } = form
  return {
    method,
    headers: { ...(contentType === '' ? {} : { 'content-type': contentType }), 'x-api-version': '2' },
    body: /^(?:get|head)$/i.test(method) ? '' : body,
    chunked: chunks === undefined && gapMs === 0 ? undefined : { chunks: chunks ?? 2, gapMs },
  }
}

/** The default: by the global fetch, to http(s) only, with redirects taken as answers. */
export async function deliverByFetch(callback: CallbackRequest): Promise<{ status: number }> {
  const { url, method, headers, body, chunked, signal } = callback
  const init: RequestInit = { method, headers, signal, redirect: 'manual' }
  if (chunked !== undefined && body !== '') {
    const pieces = inChunks(body, chunked.chunks, chunked.gapMs, signal)
    Object.assign(init, { body: ReadableStream.from(pieces), duplex: 'half' })
  } else if (body !== '') init.body = new TextEncoder().encode(body)
  const response = await fetch(url, init)
  // Not awaited: a body that somebody has cloned, as msw does, is cancelled only with its copy.
  response.body?.cancel().catch(() => {})
  return { status: response.status }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
