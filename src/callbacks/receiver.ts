import { channel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import type { CallbackEvent, CallbackPort } from '../index.js'
import { BoundedDedupe } from './bounded-dedupe.js'
import {
  type CatchUpOptions,
  type CaughtUp,
  type CaughtUpPayin,
  type CaughtUpPayout,
  catchUp,
  type Many,
} from './catch-up.js'
import { BothKinds, type DeliveryResult, report } from './delivery.js'
import {
  type CallbackResponse,
  checkBrackets,
  type FastifyCallbackPlugin,
  fastifyPlugin,
  fetchHandler,
  type NodeHandler,
  nodeHandler,
} from './handlers.js'
import { LookupQueue } from './lookup-queue.js'
import type { Work } from './one-at-a-time.js'
import type { CallbackReceiverOptions } from './options.js'
import { checkTarget, idOf, keyOf, type PayinRef, type PaymentRef, type PayoutRef } from './payment-ref.js'
import { type CallbackSettings, readCallbackOptions } from './read-options.js'
import { CallbackKeys, type CallbackTarget, lastSegment, secretTexts } from './signed-path.js'
import { Spacing } from './spacing.js'
import { QueueWaker } from './wake-queue.js'

/** How often what happened, since the receiver was made. */
export interface CallbackCounts {
  /** The merchant's function resolved, or there was nothing to tell it: answered 204. */
  readonly succeeded: number
  /** The merchant's function rejected or took too long: answered 500. Or there is none for this kind: answered 501. */
  readonly failed: number
  /** The payment could not be looked up in time: answered 503. */
  readonly unavailable: number
  /** Not signed by this receiver: answered 404. */
  readonly refused: number
  /** Payments that wait for their lookup or their function now. */
  readonly pending: number
}

type Result = DeliveryResult | 'refused' | 'unhandled'

const noHeaders = {}
const responses: Readonly<Record<Result, CallbackResponse>> = {
  succeeded: { status: 204, headers: noHeaders },
  failed: { status: 500, headers: noHeaders },
  unhandled: { status: 501, headers: noHeaders },
  unavailable: { status: 503, headers: { 'retry-after': '30' } },
  refused: { status: 404, headers: noHeaders },
}
/** For how long after a callback that brought a new status others are expected, so that waits may poll less. */
const callbacksExpectedMs = 600_000
const handled = channel('merchant-gateway:callback')
/**
 * Receives the gateway's callbacks. They say that something changed and nothing else, and anybody can
 * send one (specification, section 6): so each is checked against the signature in its own URL, its
 * content is thrown away, and what the merchant's function gets is the payment as the gateway shows it.
 *
 * @example
 * const callbacks = new CallbackReceiver({
 *   client,
 *   publicUrl: 'https://shop.example/gateway/callbacks',
 *   // GATEWAY_CALLBACK_SECRET holds the secret
 *   onPayin: (payin, { idPayin }) => orders.setStatus(idPayin, payin.process?.status),
 * })
 * app.use('/gateway/callbacks', callbacks.express())
 */
export class CallbackReceiver {
  readonly #settings: CallbackSettings
  readonly #keys: CallbackKeys
  readonly #port: CallbackPort
  readonly #kinds: BothKinds
  readonly #spacing = new Spacing()
  readonly #waker: QueueWaker | undefined
  readonly #queue = new LookupQueue()
  readonly #draining = new AbortController()
  readonly #counts = { succeeded: 0, failed: 0, unavailable: 0, refused: 0 }
  #newStatusAt = Number.NEGATIVE_INFINITY

  /**
   * A receiver that looks payments up by `client`: creates without a `callbackUrl` get one of this receiver's.
   *
   * @param options the client, the address, what to do with a payment that changed; limits are in milliseconds.
   * @throws {ConfigurationError} naming the option that is unknown, missing or wrong: no function at all, or a client
   * that has a receiver already.
   * @example
   * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin })
   */
  constructor(options: CallbackReceiverOptions) {
    const settings = readCallbackOptions(options)
    const { signal: draining } = this.#draining
    this.#settings = settings
    this.#keys = new CallbackKeys(settings.secrets, settings.places)
    this.#port = settings.client.attachCallbacks({
      urlFor: (kind, id) => this.#url({ kind, id }),
      arrive: () => performance.now() - this.#newStatusAt < callbacksExpectedMs && !draining.aborted,
      secrets: () => secretTexts(settings.secrets),
    })
    setMaxListeners(0, draining)
    const dedupe = new BoundedDedupe({
      store: settings.dedupe,
      account: settings.client.account,
      timeoutMs: settings.dedupeTimeoutMs,
      onError: (error, target) => report(settings.onError, error, { ...target, during: 'dedupe-store' }),
    })
    this.#kinds = new BothKinds({
      port: this.#port,
      settings,
      dedupe,
      spacing: this.#spacing,
      queue: this.#queue,
      draining,
      onNewStatus: () => {
        this.#newStatusAt = performance.now()
      },
    })
    const { wake, lookupDeadlineMs, onError } = settings
    const spacing = this.#spacing
    this.#waker = wake && new QueueWaker({ wake, lookupDeadlineMs, onError, spacing, draining })
    this.fetch = fetchHandler((url) => this.receive(url))
  }

  /**
   * Counts of what happened so far.
   *
   * @example
   * const { failed, pending } = callbacks.counts
   */
  get counts(): CallbackCounts {
    return { ...this.#counts, pending: this.#kinds.size }
  }

  /**
   * The `callbackUrl` of a payment. Creates of the same client get it by themselves where the
   * request has none. Whoever knows the URL can make the receiver look this one payment up, no more.
   *
   * @throws {InvalidInputError} unless exactly one id is given, as a text.
   * @example
   * const callbackUrl = callbacks.urlFor({ idPayin })
   */
  urlFor(payment: PaymentRef): string {
    return this.#url(checkTarget(payment))
  }

  /**
   * Deals with one callback and says what to respond; the handlers below are shells around it.
   *
   * @param requestTarget the URL or path that was called. Only its last segment counts.
   * @example
   * const { status, headers } = await callbacks.receive(request.url)
   */
  async receive(requestTarget: string): Promise<CallbackResponse> {
    const receivedAt = performance.now()
    const target =
      typeof requestTarget === 'string' ? this.#keys.verify(lastSegment(requestTarget)) : undefined
    const result = target === undefined ? 'refused' : await this.#handle(target)
    const counted = result === 'unhandled' ? 'failed' : result
    this.#counts[counted]++
    const response = this.#draining.signal.aborted ? closing(responses[result]) : responses[result]
    if (handled.hasSubscribers) {
      const event: CallbackEvent = {
        ...(target === undefined ? {} : { kind: target.kind, ...idOf(target) }),
        result: counted,
        status: response.status,
        durationMs: performance.now() - receivedAt,
      }
      handled.publish(event)
    }
    return response
  }

  /**
   * For `node:http` and frameworks over it.
   *
   * @example
   * createServer(callbacks.node()).listen(8080)
   */
  node(...none: never[]): NodeHandler {
    checkBrackets('node', none)
    return nodeHandler((url) => this.receive(url))
  }

  /**
   * For Express, before or after body parsers.
   *
   * @example
   * app.use('/gateway/callbacks', callbacks.express())
   */
  express(...none: never[]): NodeHandler {
    checkBrackets('express', none)
    return nodeHandler((url) => this.receive(url))
  }

  /**
   * For Fastify.
   *
   * @example
   * app.register(callbacks.fastify(), { prefix: '/gateway/callbacks' })
   */
  fastify(...none: never[]): FastifyCallbackPlugin {
    checkBrackets('fastify', none)
    return fastifyPlugin((url) => this.receive(url))
  }

  /**
   * For Hono, Next, Bun and Deno (in Cloudflare Workers, a receiver for each request): a function from `Request` to `Response`.
   *
   * @example
   * app.all('/gateway/callbacks/*', ({ req }) => callbacks.fetch(req.raw)) // Hono
   */
  readonly fetch: (request: Request) => Promise<Response>

  /**
   * For the callbacks that never arrived: payments as they are now, with the priority of polls, in the order
   * of the ids. The merchant's functions are called with `deliver: true` only, and then as callbacks would. Nothing
   * is looked up until the result is read, and a process warning says so where nobody reads it.
   *
   * @throws {InvalidInputError} at a reference that names no payment.
   * @example
   * const open = openOrders.map(({ idPayin }) => ({ idPayin }))
   * for await (const { idPayin, error } of callbacks.catchUp(open, { deliver: true })) {
   *   if (error !== undefined) console.log(idPayin, 'not now')
   * }
   */
  catchUp(payments: Many<PayinRef>, options?: CatchUpOptions): AsyncGenerator<CaughtUpPayin>
  /** The same for payouts. */
  catchUp(payments: Many<PayoutRef>, options?: CatchUpOptions): AsyncGenerator<CaughtUpPayout>
  /** The same for both kinds in one list; `idPayin` or `idPayout` tells which one it is. */
  catchUp(payments: Many<PaymentRef>, options?: CatchUpOptions): AsyncGenerator<CaughtUp>
  catchUp(payments: Many<PaymentRef>, options: CatchUpOptions = {}): AsyncGenerator<CaughtUp> {
    const parts = { port: this.#port, kinds: this.#kinds, draining: this.#draining.signal }
    return catchUp(parts, payments, options)
  }

  /**
   * For a clean shutdown: refuses new callbacks with 503 and closes their connections, gives up status requests without a response,
   * and resolves when the functions that are running have ended. Creates go on to get a `callbackUrl`,
   * since the process that comes next receives what is sent there.
   *
   * @example
   * process.once('SIGTERM', async () => {
   *   await callbacks.drain()
   *   server.close()
   *   await client.close()
   * })
   */
  async drain(): Promise<void> {
    this.#draining.abort()
    this.#queue.drain()
    await this.#kinds.idle()
  }

  /** The URL and the counts; never a secret. */
  toJSON(): Record<string, unknown> {
    return { publicUrl: this.#settings.publicUrl, counts: this.counts }
  }

  /** What `console.log` prints: never a secret. */
  [inspect.custom](): string {
    return `CallbackReceiver { publicUrl: '${this.#settings.publicUrl}', secrets: [redacted] }`
  }

  async #handle(target: CallbackTarget): Promise<DeliveryResult | 'unhandled'> {
    if (this.#draining.signal.aborted) return 'unavailable'
    const { lookupDeadlineMs } = this.#settings
    const gapMs = this.#spacing.gapMs(keyOf(target))
    if (this.#waker !== undefined) {
      // A status request of a worker is no cheaper than one of this process.
      if (gapMs > 0) {
        void this.#handleAfter(gapMs, target, this.#waker)
        return 'unavailable'
      }
      const woken = await this.#waker.wake(target)
      if (woken !== 'unknown') return woken
      if (this.#draining.signal.aborted) return 'unavailable'
    }
    const { kind, id } = target
    if (!this.#kinds[kind].hasFunction(id)) return 'unhandled'
    const work = this.#kinds[kind].run(id, 'callback')
    // The status comes, but too late for this response: no use in holding the connection.
    if (work === undefined || Math.max(gapMs, this.#queue.lateMs) >= lookupDeadlineMs) return 'unavailable'
    return answerIn(work, lookupDeadlineMs)
  }

  async #handleAfter(gapMs: number, target: CallbackTarget, waker: QueueWaker): Promise<void> {
    const woken = await waker.wakeAfter(gapMs, target)
    const { kind, id } = target
    if (woken === 'unknown' && this.#kinds[kind].hasFunction(id)) this.#kinds[kind].run(id, 'callback')
  }

  #url(target: CallbackTarget): string {
    return `${this.#settings.publicUrl}/${this.#keys.sign(target)}`
  }
}

/** A caller that keeps its connection busy would keep `server.close()` from ending. */
function closing(response: CallbackResponse): CallbackResponse {
  return { ...response, headers: { ...response.headers, connection: 'close' } }
}

/** The work goes on when it is late, so that the merchant's function is called even if the gateway never calls again. */
function answerIn(
  work: Work<{ readonly result: DeliveryResult }>,
  lookupDeadlineMs: number,
): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    const late = async () => resolve((await work.turn.isKnown()) ? 'succeeded' : 'unavailable')
    const timer = setTimeout(() => void late(), lookupDeadlineMs)
    void work.requested.then(() => clearTimeout(timer))
    void work.done.then(({ result }) => resolve(result))
  })
}
