import type { CallOptions } from '../input/call-options.js'
import type { Ending } from '../input/wait.js'
import { attempts, calls } from '../observe/channels.js'
import type { Observer } from '../observe/observer.js'
import type { CallFacts } from '../observe/watched-call.js'
import type { Route } from '../routes.js'
import { ClosingSignal } from './abortable-wait.js'
import { attempt, type HttpParts } from './attempt.js'
import { type Attempts, type Call, type CallLimits, noAttempts, type Patience } from './call.js'
import type { Failed, Failure } from './failure.js'
import type { PermitQueue } from './limit/queue.js'
import { meaningOf } from './meaning.js'
import type { GatewayRequest, GatewayResponse } from './request.js'
import { retry } from './retry.js'
import { KnownSecrets } from './secrets.js'
import { toError } from './to-error.js'
import type { LazyTransport } from './transport/transport.js'

export interface HttpSettings {
  readonly basePath: string
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  readonly now: () => number
  /** The texts of its credentials; made when they are needed, so that none of the key is kept. */
  readonly secrets: () => readonly string[]
}

/** The way to the gateway. It knows neither payments nor what tokens allow. */
export class Http {
  readonly #parts: HttpParts
  readonly #limits: Pick<HttpSettings, 'timeoutMs' | 'deadlineMs' | 'retries'>
  readonly #closing = new ClosingSignal()
  readonly #withheld = new Map<string, Failure>()
  readonly closing: Ending = this.#closing
  readonly known: KnownSecrets
  #closed: Promise<void> | undefined
  #underWay = 0
  #onIdle: (() => void) | undefined

  constructor(transport: LazyTransport, permits: PermitQueue, settings: HttpSettings, observer: Observer) {
    const { basePath, now, secrets, timeoutMs, deadlineMs, retries } = settings
    this.known = new KnownSecrets(secrets)
    const { closing } = this
    // Field by field: who kept the settings as a whole would keep a third of what a client weighs.
    this.#limits = { timeoutMs, deadlineMs, retries }
    this.#parts = { transport, permits, observer, basePath, closing, now, withheld: this.#withheld }
  }

  async request<T>(
    request: GatewayRequest<T>,
    options: CallOptions | undefined,
    onSent?: () => void,
  ): Promise<T> {
    const run = async (call: Call) => {
      const response = await this.send(call, request)
      if ('failure' in response) throw toError(response)
      if (response.value === undefined) throw new TypeError('a response without a value')
      return response.value
    }
    return this.call(request, options, run, { onSent })
  }

  call<T>(
    first: GatewayRequest<unknown>,
    options: CallOptions | undefined,
    run: (call: Call) => Promise<T>,
    { patience = { endAt: 0, retries: 0 }, onSent, errorOf = noError }: CallExtras<T> = {},
  ): Promise<T> {
    this.#underWay++
    const { timeoutMs, deadlineMs, retries } = this.#limits
    const limits: CallLimits = {
      signal: options?.signal,
      timeoutMs: options?.timeoutMs ?? timeoutMs,
      deadlineMs: options?.deadlineMs ?? deadlineMs,
      priority: options?.priority ?? 'customer',
      startedAt: performance.now(),
      onSent,
    }
    patience.endAt = Math.max(patience.endAt, limits.startedAt + limits.deadlineMs)
    patience.retries = Math.max(patience.retries, options?.retries ?? retries)
    // Node says at once that nobody listens; Bun does not, and is asked channel by channel.
    const isUnwatched = calls.hasSubscribers === false && attempts.hasSubscribers === false
    const watched = isUnwatched ? undefined : this.#parts.observer.watch(() => factsOf(first, limits))
    const { known } = this
    const call: Call = { limits, patience, watched, known, sent: [], requests: [], outcome: 'not-accepted' }
    const running = watched === undefined ? run(call) : watched.run(() => run(call), errorOf)
    running.then(this.#ended, this.#ended)
    return running
  }

  readonly #ended = (): void => {
    this.#underWay--
    if (this.#underWay === 0) this.#onIdle?.()
  }

  /** Sends one request of a call, as often as it takes. A token request's failure becomes an error for each call that waits for it. */
  async send<T>(call: Call, request: GatewayRequest<T>): Promise<GatewayResponse<T> | Failed> {
    const attempts: Attempts = { ...noAttempts }
    // No more of the request than that: results keep it, and the rest leads to the token keeper and to the client. A list
    // of its exact length: most have one, and many wait.
    const { body, secrets } = request
    call.requests = [...call.requests, { body: typeof body === 'string' ? body : undefined, secrets }]
    const result = await attempt(this.#parts, call, request, attempts)
    // Most requests need no retry, and those that wait for a permit should weigh little.
    return 'kind' in result ? await retry(this.#parts, call, request, attempts, result) : result
  }

  withhold({ name }: Route, why: Failure): void {
    this.#withheld.set(name, why)
  }

  get defaultDeadlineMs(): number {
    return this.#limits.deadlineMs
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#parts.permits.close()
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      if (this.#underWay === 0) resolve()
    })
    await this.#parts.transport.close()
  }
}

interface CallExtras<T> {
  readonly patience?: Patience
  readonly onSent?: (() => void) | undefined
  readonly errorOf?: (value: T) => Error | undefined
}

const noError = () => undefined

function factsOf(request: GatewayRequest<unknown>, limits: CallLimits): CallFacts {
  const { route, about } = request
  const { idPayin, idPayout } = meaningOf(about, 'unknown').details
  return { route, priority: request.priority ?? limits.priority, idPayin, idPayout }
}
