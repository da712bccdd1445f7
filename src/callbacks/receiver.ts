import { channel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import type { CallbackEvent, Payin, Payout } from '../index.js'
import {
  CallbackKeys,
  type CallbackTarget,
  type PayinRef,
  type PaymentRef,
  type PayoutRef,
  refOf,
  secretTexts,
  targetOf,
} from './callback-url.js'
import {
  type CatchUpOptions,
  type CaughtUp,
  type CaughtUpPayin,
  type CaughtUpPayout,
  catchUp,
  type Many,
} from './catch-up.js'
import { Deliveries } from './deliveries.js'
import type { CallbackResult } from './delivery.js'
import {
  type CallbackResponse,
  checkBrackets,
  type FastifyCallbackPlugin,
  fastifyPlugin,
  fetchHandler,
  type NodeHandler,
  nodeHandler,
} from './handlers.js'
import { LookupOrder } from './lookup-order.js'
import type { CallbackFailure, CallbackReceiverOptions } from './options.js'
import { BoundedStore, type Report } from './payment-record.js'
import { type CallbackSettings, readCallbackOptions } from './read-options.js'

/** How callbacks were answered. */
export interface CallbackCounts {
  /** Your function resolved, or knew the status: answered 204. */
  readonly succeeded: number
  /** Your function rejected or took too long: answered 500. Or there is none for this kind: answered 501. */
  readonly failed: number
  /** The payment could not be looked up in time, or too often lately: answered 503. */
  readonly unavailable: number
  /** Not signed by this receiver: answered 404. */
  readonly refused: number
  /** Payments that wait for `wake`, their lookup or their function now. */
  readonly pending: number
}

const noHeaders = {}
const responses: Readonly<Record<CallbackResult, CallbackResponse>> = {
  succeeded: { status: 204, headers: noHeaders },
  failed: { status: 500, headers: noHeaders },
  unhandled: { status: 501, headers: noHeaders },
  unavailable: { status: 503, headers: { 'retry-after': '30' } },
  refused: { status: 404, headers: noHeaders },
}
/** For so long after a callback that brought a new status others are expected, so that waits may poll less. */
const callbacksExpectedMs = 600_000
const handled = channel('merchant-gateway:callback')

/**
 * Receives the gateway's callbacks. They only say that something changed, and anybody can send one (specification,
 * section 6): so each is checked against the signature in its own URL, its content is thrown away, and your function
 * gets the payment as the gateway shows it.
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
  readonly #payins: Deliveries<Payin>
  readonly #payouts: Deliveries<Payout>
  readonly #order = new LookupOrder()
  readonly #draining = new AbortController()
  readonly #counts = { succeeded: 0, failed: 0, unavailable: 0, refused: 0 }
  #newStatusAt = Number.NEGATIVE_INFINITY

  /**
   * A receiver that looks payments up by `client`, whose creates without a `callbackUrl` get one of this receiver.
   *
   * @param options durations are in milliseconds.
   * @throws naming the option that is unknown, missing or wrong, and for a client that has a receiver already
   * ({@link ConfigurationError}).
   * @example
   * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin })
   */
  constructor(options: CallbackReceiverOptions) {
    const settings = readCallbackOptions(options)
    const { client, secrets, onPayin, onPayout } = settings
    const { signal: draining } = this.#draining
    setMaxListeners(0, draining)
    this.#settings = settings
    this.#keys = new CallbackKeys(secrets, settings.places)
    const port = client.attachCallbacks({
      urlFor: (kind, id) => this.#url({ kind, id }),
      arrive: () => performance.now() - this.#newStatusAt < callbacksExpectedMs && !draining.aborted,
      secrets: () => secretTexts(secrets),
    })
    const report: Report = (error, failure) => this.#report(error, failure)
    const shared = {
      settings,
      port,
      report,
      draining,
      store: new BoundedStore(settings.dedupe, client.account, settings.dedupeTimeoutMs, report),
      order: this.#order,
      isFull: () => this.#pending >= settings.maxPending,
      onNewStatus: () => {
        this.#newStatusAt = performance.now()
      },
    }
    this.#payins = new Deliveries<Payin>(
      shared,
      'payin',
      port.payin,
      onPayin && ((payin, idPayin, context) => onPayin(payin, { ...context, idPayin })),
    )
    this.#payouts = new Deliveries<Payout>(
      shared,
      'payout',
      port.payout,
      onPayout && ((payout, idPayout, context) => onPayout(payout, { ...context, idPayout })),
    )
    this.fetch = fetchHandler((url) => this.receive(url))
  }

  /**
   * Counts since the receiver was made.
   *
   * @example
   * const { failed, pending } = callbacks.counts
   */
  get counts(): CallbackCounts {
    return { ...this.#counts, pending: this.#pending }
  }

  /**
   * The `callbackUrl` of a payment, which creates of the client have by default. Whoever knows it can make the receiver
   * look this payment up, and nothing else.
   *
   * @param payment its kind and id: `{ idPayin }` or `{ idPayout }`.
   * @throws unless exactly one id is given, as a text ({@link InvalidInputError}).
   * @example
   * const callbackUrl = callbacks.urlFor({ idPayin })
   */
  urlFor(payment: PaymentRef): string {
    return this.#url(targetOf(payment))
  }

  /**
   * Deals with one callback and says how to respond, for a framework without a handler here.
   *
   * @param requestTarget the URL or path that was called. Only its last segment counts.
   * @example
   * const { status, headers } = await callbacks.receive(request.url)
   */
  async receive(requestTarget: string): Promise<CallbackResponse> {
    const receivedAt = performance.now()
    const target = typeof requestTarget === 'string' ? this.#keys.verify(requestTarget) : undefined
    const result = target === undefined ? 'refused' : await this.#resultOf(target)
    const counted = result === 'unhandled' ? 'failed' : result
    this.#counts[counted]++
    const response = this.#draining.signal.aborted ? closing(responses[result]) : responses[result]
    if (handled.hasSubscribers) {
      const event: CallbackEvent = {
        ...(target && { kind: target.kind, ...refOf(target.kind, target.id) }),
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
   * For Hono, Next, Bun and Deno, from `Request` to `Response`; in Cloudflare Workers, make a receiver for each request.
   *
   * @example
   * app.all('/gateway/callbacks/*', ({ req }) => callbacks.fetch(req.raw)) // Hono
   */
  readonly fetch: (request: Request) => Promise<Response>

  /**
   * For callbacks that never arrived: payments as they are now, in the order of the ids, with the priority of polls.
   * Your functions are called with `deliver: true` only. Nothing is looked up until the result is read.
   *
   * @param payments their ids, from any iterable, also an asynchronous one.
   * @param options whether your functions are called, and a signal that ends the run.
   * @throws at a reference that names no payment ({@link InvalidInputError}).
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
    return catchUp({ payin: this.#payins, payout: this.#payouts }, payments, options)
  }

  /**
   * For a clean shutdown: refuses new callbacks with 503 and closes their connections, gives up status requests, and
   * resolves when your functions that are running have ended. Creates still get a `callbackUrl`.
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
    this.#order.drain()
    while (this.#pending > 0) await Promise.all([this.#payins.idle(), this.#payouts.idle()])
  }

  /** The URL and the counts; never a secret. */
  toJSON(): Record<string, unknown> {
    return { publicUrl: this.#settings.publicUrl, counts: this.counts }
  }

  /** What `console.log` prints: never a secret. */
  [inspect.custom](): string {
    return `CallbackReceiver { publicUrl: '${this.#settings.publicUrl}', secrets: [redacted] }`
  }

  get #pending(): number {
    return this.#payins.size + this.#payouts.size
  }

  async #resultOf({ kind, id }: CallbackTarget): Promise<CallbackResult> {
    if (this.#draining.signal.aborted) return 'unavailable'
    const deliveries = kind === 'payin' ? this.#payins : this.#payouts
    const isTooOften = deliveries.parts.requests.gapMs(id) > 0
    const delivery = deliveries.join(id, 'callback')
    const { lookupDeadlineMs } = this.#settings
    // The status comes too late for this response, so the connection is not held.
    const isTooLate = this.#order.lateMs >= lookupDeadlineMs
    return isTooOften || isTooLate ? 'unavailable' : (delivery?.resultIn(lookupDeadlineMs) ?? 'unavailable')
  }

  #url(target: CallbackTarget): string {
    return `${this.#settings.publicUrl}/${this.#keys.sign(target)}`
  }

  /** A reporter that fails must not change the response. */
  #report(error: unknown, failure: CallbackFailure): void {
    const reported = async () => this.#settings.onError(error, failure)
    reported().catch(() => undefined)
  }
}

/** A caller that keeps its connection busy would keep `server.close()` from ending. */
function closing(response: CallbackResponse): CallbackResponse {
  return { ...response, headers: { ...response.headers, connection: 'close' } }
}
