import type { Clock } from '../clock/clock.js'
import { BoundedLog } from '../memory/bounded-log.js'
import type { Payment, PaymentKind, SandboxStatus } from '../payments/payment.js'
import { asRequest, type DeliverCallback } from './delivery.js'
import { type CallbackForm, checkForm } from './form.js'
import { TaskQueue } from './task-queue.js'

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
  /** Called when a status has changed, and when a delivery begins and ends. */
  readonly onChange: () => void
}

interface Delivery {
  readonly payment: Payment
  readonly url: string
  readonly body: string | Error
  readonly status: string
  readonly form: CallbackForm
  /** How often it is still being sent: `times`, or a fault, may send it more than once. */
  pending: number
}

/** Sends a prepared callback: now, or later by the sandbox's clock. */
export type SendPrepared = (afterMs?: number) => void

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const MAX_RUNNING = 50
const MAX_WAITING = 20_000
/** What the callbacks may hold that wait, are being sent, or are to be sent again; their payments included. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024
const MAX_LOG_BYTES = 16 * 1024 * 1024

/** Sends callbacks, 50 at a time: each until a 2xx answers it, and `tries` times at most. */
export class CallbackSender {
  readonly #settings: CallbackSettings
  readonly #clock: Clock
  readonly #log: BoundedLog<SandboxCallback>
  readonly #closing = new AbortController()
  readonly #aborts = new Set<AbortController>()
  readonly #queue = new TaskQueue(MAX_RUNNING, MAX_WAITING)
  #pendingBytes = 0

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

  /** Makes the callback about the payment as it is now, to be sent now or later; undefined without a callbackUrl. */
  prepare(payment: Payment, form: CallbackForm = {}): SendPrepared | undefined {
    this.#settings.onChange()
    const url = payment.callbackUrl
    if (url === undefined) return undefined
    const body = form.body ?? this.#content(payment)
    const delivery: Delivery = { payment, url, body, status: payment.status, form, pending: 0 }
    return (afterMs) => this.#begin(delivery, afterMs)
  }

  /** Resolves when nothing is being delivered. A repetition that is still to come does not count. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox was closed.'))
    this.#queue.clear()
    this.#pendingBytes = 0
    for (const abort of this.#aborts) abort.abort(this.#closing.signal.reason)
    await this.idle()
  }

  clearLog(): void {
    this.#log.clear()
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

  /** Not sent when too many bytes are pending: a receiver that never answers must not use up the memory. */
  #begin(delivery: Delivery, afterMs: number | undefined): void {
    const bytes = delivery.pending === 0 ? bytesOf(delivery) : 0
    const isTooMuch = this.#pendingBytes > 0 && this.#pendingBytes + bytes > MAX_PENDING_BYTES
    if (this.#closing.signal.aborted || isTooMuch) return
    delivery.pending += 1
    this.#pendingBytes += bytes
    if (afterMs === undefined) this.#enqueue(delivery, 1)
    else this.#clock.schedule(afterMs, () => this.#enqueue(delivery, 1))
  }

  #end(delivery: Delivery): void {
    delivery.pending -= 1
    if (delivery.pending === 0) this.#pendingBytes -= bytesOf(delivery)
  }

  #enqueue(delivery: Delivery, attempt: number): void {
    if (this.#closing.signal.aborted) return
    if (!this.#queue.add(() => this.#attempt(delivery, attempt))) this.#end(delivery)
  }

  async #attempt(delivery: Delivery, attempt: number): Promise<void> {
    const entry: Mutable<SandboxCallback> = {
      at: this.#clock.now(),
      kind: delivery.payment.kind,
      id: delivery.payment.id,
      paymentStatus: delivery.status,
      url: delivery.url,
      attempt,
      answer: undefined,
      error: undefined,
    }
    this.#log.add(entry, delivery.url.length + delivery.payment.id.length + 200)
    this.#settings.onChange()
    try {
      entry.answer = await this.#deliver(delivery)
    } catch (error) {
      entry.error = describe(error)
    }
    this.#settings.onChange()
    const accepted = entry.answer !== undefined && entry.answer >= 200 && entry.answer < 300
    if (accepted || attempt >= this.#settings.tries) {
      this.#end(delivery)
      return
    }
    const delay = this.#settings.retryAfterMs * 2 ** (attempt - 1)
    this.#clock.schedule(delay, () => this.#enqueue(delivery, attempt + 1))
  }

  async #deliver({ url, body, form }: Delivery): Promise<number> {
    if (body instanceof Error) throw body
    // The sandbox's page sends callbacks on request, and each callback to it would be such a request.
    if (this.#settings.isOwn(url)) throw new Error('Not sent: the callbackUrl is the sandbox itself.')
    const abort = new AbortController()
    const timeout = setTimeout(() => {
      abort.abort(new Error(`No answer within ${this.#settings.timeoutMs} ms.`))
    }, this.#settings.timeoutMs)
    timeout.unref()
    this.#aborts.add(abort)
    try {
      const callback = { url, ...asRequest(form, body), signal: abort.signal }
      // Raced, because the option `deliver` may be a function that ignores its signal.
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

function bytesOf({ payment, body }: Delivery): number {
  return payment.bytes + (typeof body === 'string' ? body.length * 2 : 0)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
