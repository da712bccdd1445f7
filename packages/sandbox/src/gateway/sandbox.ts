import type { KeyObject } from 'node:crypto'
import type { SandboxCallback } from './callbacks/attempt.js'
import type { SandboxClock } from './clock/clock.js'
import type { SandboxRequest } from './engine/logged-request.js'
import type { CallbackFaultOptions, FaultHandle, FaultOptions } from './faults/fault.js'
import type { SandboxOptions } from './options.js'
import type { SandboxPayments } from './payments/payment-store.js'
import type { SandboxFetch } from './transports/fetch.js'
import type { ListenOptions, SandboxServer } from './transports/server.js'
import type { SandboxMoney } from './wire/money.js'

/** What a client needs to talk to a sandbox: `new GatewayClient(sandbox.clientOptions())`. */
export interface SandboxClientOptions {
  /** Where the sandbox is: its server while it listens, a name that only `fetch` knows otherwise. */
  readonly baseUrl: string
  /** The option `merchantCode`, or its default. */
  readonly merchantCode: string
  /** An RSA key. A KeyObject, because that prints nothing; `privateKey.export({ type: 'pkcs8', format: 'pem' })` is its PEM. */
  readonly privateKey: KeyObject
  /** All its payments are tests. */
  readonly live: false
  /** `false` for a sandbox without a limit: then the client keeps none either. Absent otherwise. */
  readonly rateLimit?: false
  /** The option `timestampUnit`, where it is not what a client sends by itself. */
  readonly timestampUnit?: 'milliseconds'
  /**
   * The time of the sandbox without a skew, in milliseconds since 1970, where it is not the machine's:
   * `clock: 'virtual'`, or `startAt`.
   */
  readonly now?: () => number
  /** The sandbox in this process; absent while it listens, because then it is reached over sockets. */
  readonly fetch?: SandboxFetch
}

/**
 * The payment gateway, in this process.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox()
 * const client = new GatewayClient(sandbox.clientOptions())
 * // ... use the client ...
 * await sandbox.close()
 * ```
 */
export interface Sandbox {
  /**
   * Answers a web-standard request; the host does not matter. Bound, so it can be handed on:
   * `http.all('https://gateway.example/*', ({ request }) => sandbox.fetch(request))` is a handler for msw.
   *
   * @throws as the global fetch does when a fault resets the connection or the sandbox is closed;
   *   the reason of `init.signal` when that aborts (`TypeError`).
   */
  readonly fetch: SandboxFetch
  /** The time of the sandbox. */
  readonly clock: SandboxClock
  /** The payins that the gateway holds. */
  readonly payins: SandboxPayments
  /** The payouts that the gateway holds. */
  readonly payouts: SandboxPayments
  /** The newest requests, oldest first; a copy, made when it is read. */
  readonly requests: readonly SandboxRequest[]
  /** The newest deliveries of callbacks, oldest first; a copy, made when it is read. */
  readonly callbacks: readonly SandboxCallback[]
  /**
   * Listens for HTTP on this machine.
   *
   * @param options port and host, and whether the page is served.
   * @throws when the port is taken, or when the sandbox listens already or is closed (`Error`).
   * @example
   * ```ts
   * const { url } = await sandbox.listen({ port: 0 })
   * ```
   */
  listen(options?: ListenOptions): Promise<SandboxServer>
  /**
   * Base URL, merchant code and a private key that the sandbox knows, and what its options make different from
   * a client's own defaults: no limit, another unit of `timestamp`, another time. A rate other than 10 is not
   * among it, because what a client does there is what such a sandbox is for. The key is made at the first call.
   */
  clientOptions(): SandboxClientOptions
  /**
   * Makes requests go wrong.
   *
   * @param fault what happens, and to which requests: endpoint, id, how often.
   * @throws naming what is wrong with the fault (`Error`).
   * @example
   * ```ts
   * sandbox.fault({ route: '*', times: 3, probability: 0.5, action: { kind: 'delay', ms: 200, jitterMs: 300 } })
   * ```
   */
  fault(fault: FaultOptions): FaultHandle
  /**
   * Makes callbacks go wrong. A callback that is sent by hand meets no fault.
   *
   * @param fault what happens, and to which callbacks: kind, id, how often.
   * @throws naming what is wrong with the fault (`Error`).
   * @example
   * ```ts
   * sandbox.callbackFault({ kind: 'payout', times: 2, action: { kind: 'late', ms: 5000 } })
   * ```
   */
  callbackFault(fault: CallbackFaultOptions): FaultHandle
  /** Disarms all faults and sets the clock right. */
  clearFaults(): void
  /** Empties `requests` and `callbacks`. */
  clearLogs(): void
  /**
   * As new: forgets all payments and their ids, callbacks that wait, logs and faults; the balances are those of
   * the start. What the clock shows, the limiter and the tokens stay.
   * @example
   * ```ts
   * beforeEach(() => sandbox.reset())
   * ```
   */
  reset(): void
  /**
   * Exchanges the limiter while requests arrive; what is left out stays. The new one has counted nothing. A client
   * that was made before keeps to its own limit.
   *
   * @param change how many requests a second, and how they are counted.
   * @throws naming what is wrong (`Error`).
   * @example
   * ```ts
   * sandbox.changeLimiter({ limiter: 'evenly-spaced', rateLimit: 2 })
   * ```
   */
  changeLimiter(change: Pick<SandboxOptions, 'rateLimit' | 'limiter'>): void
  /**
   * Sets one balance of the merchant's.
   *
   * @param balance the new amount, in the currency's main unit.
   * @throws naming what is wrong (`Error`).
   * @example
   * ```ts
   * sandbox.setBalance({ amount: 0, currencyCode: 'EUR' })
   * ```
   */
  setBalance(balance: SandboxMoney): void
  /**
   * Revokes one access token, or all that were minted until now: 401 from then on.
   *
   * @param token the one to revoke; all without it.
   * @throws when the token is not one of this sandbox (`Error`).
   * @example
   * ```ts
   * await sandbox.revokeTokens() // the client's next call meets 401 and mints a new one
   * ```
   */
  revokeTokens(token?: string): Promise<void>
  /**
   * Resolves when no callback is being delivered. A repetition that waits for its time does not count.
   * @example
   * ```ts
   * sandbox.payins.get(idPayin).pay()
   * await sandbox.idle() // the receiver has answered
   * ```
   */
  idle(): Promise<void>
  /** Ends the server, the timers and the deliveries. Nothing is left that could keep the process alive. */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
