import { setMaxListeners } from 'node:events'
import { assemble, disarmAll, reset, type SandboxParts } from './gateway/assemble.js'
import type { SandboxCallback } from './gateway/callbacks/attempt.js'
import type { SandboxClock } from './gateway/clock/clock.js'
import type { SandboxRequest } from './gateway/engine/logged-request.js'
import type { CallbackFaultOptions, FaultHandle, FaultOptions } from './gateway/faults/fault.js'
import { normaliseOptions } from './gateway/normalise-options.js'
import type { SandboxOptions } from './gateway/options.js'
import type { SandboxPayments } from './gateway/payments/payment-store.js'
import type { Sandbox, SandboxClientOptions } from './gateway/sandbox.js'
import { createFetch, type SandboxFetch } from './gateway/transports/fetch.js'
import { type ListenOptions, type SandboxServer, serve } from './gateway/transports/server.js'
import type { SandboxMoney } from './gateway/wire/money.js'
import { createPage } from './page/api/page-handler.js'

/**
 * Makes a gateway of its own: payments, tokens, clock and logs are shared with no other.
 *
 * @param options how the gateway behaves. Names that end in `Ms` are in milliseconds, those in `Secs` in seconds.
 * @throws naming the option which is unknown or of the wrong type (`Error`).
 * @example
 * ```ts
 * const sandbox = createSandbox({ clock: 'virtual', rateLimit: false })
 * await sandbox.clock.advance(1000)
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new InProcessSandbox(assemble(normaliseOptions(options)))
}

const IN_PROCESS_URL = 'https://gateway.sandbox.invalid'

class InProcessSandbox implements Sandbox {
  readonly fetch: SandboxFetch
  readonly #parts: SandboxParts
  readonly #closing = new AbortController()
  #server: SandboxServer | undefined
  #isListening = false

  constructor(parts: SandboxParts) {
    this.#parts = parts
    // Every unanswered request listens for the end of the sandbox, and there may be many.
    setMaxListeners(0, this.#closing.signal)
    this.fetch = createFetch(parts.engine, this.#closing.signal, parts.settings.maxBodyBytes)
  }

  get clock(): SandboxClock {
    return this.#parts.clock
  }
  get payins(): SandboxPayments {
    return this.#parts.ledger.payins
  }
  get payouts(): SandboxPayments {
    return this.#parts.ledger.payouts
  }
  get requests(): readonly SandboxRequest[] {
    return this.#parts.log.toArray()
  }
  get callbacks(): readonly SandboxCallback[] {
    return this.#parts.callbacks.log
  }

  async listen(options: ListenOptions = {}): Promise<SandboxServer> {
    if (this.#closing.signal.aborted) throw new Error('The sandbox is closed.')
    if (this.#isListening) throw new Error('The sandbox listens already.')
    this.#isListening = true
    const { engine, settings } = this.#parts
    const page = options.page === true ? createPage(this.#parts, options) : undefined
    const server = await serve(engine, options, settings.maxBodyBytes, page).catch((error: unknown) => {
      this.#isListening = false
      throw error
    })
    const close = async () => {
      await server.close()
      if (this.#server !== listening) return
      this.#server = undefined
      this.#isListening = false
    }
    const listening: SandboxServer = { ...server, close, [Symbol.asyncDispose]: close }
    this.#server = listening
    return listening
  }

  clientOptions(): SandboxClientOptions {
    const { clock, credentials, limiter, settings } = this.#parts
    const { basePath, merchantCode, timestampUnit } = settings
    return {
      ...(this.#server === undefined
        ? { baseUrl: IN_PROCESS_URL + basePath, fetch: this.fetch }
        : { baseUrl: this.#server.url + basePath }),
      merchantCode,
      privateKey: credentials.privateKey(),
      live: false,
      ...(limiter.state.limit === false ? { rateLimit: false } : {}),
      ...(timestampUnit === 'milliseconds' ? { timestampUnit } : {}),
      ...(clock.isOfTheMachine ? {} : { now: () => clock.withoutSkew() }),
    }
  }

  fault(fault: FaultOptions): FaultHandle {
    return this.#parts.faults.arm(fault)
  }

  callbackFault(fault: CallbackFaultOptions): FaultHandle {
    return this.#parts.callbackFaults.arm(fault)
  }

  clearFaults(): void {
    disarmAll(this.#parts)
  }

  clearLogs(): void {
    this.#parts.log.clear()
    this.#parts.callbacks.clearLog()
  }

  reset(): void {
    reset(this.#parts)
    this.#parts.onChange()
  }

  changeLimiter({ rateLimit, limiter }: Pick<SandboxOptions, 'rateLimit' | 'limiter'>): void {
    this.#parts.limiter.change({
      ...(rateLimit === undefined ? {} : { limit: rateLimit }),
      ...(limiter === undefined ? {} : { kind: limiter }),
    })
  }

  setBalance(balance: SandboxMoney): void {
    this.#parts.balances.set(balance)
    this.#parts.onChange()
  }

  async revokeTokens(token?: string): Promise<void> {
    if (token === undefined) this.#parts.tokens.revokeAll()
    else this.#parts.tokens.revoke(token)
  }

  idle(): Promise<void> {
    return this.#parts.callbackFaults.idle()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#parts.clock.close()
    await Promise.all([this.#server?.close(), this.#parts.callbacks.close()])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  toJSON(): Record<string, unknown> {
    return {
      merchantCode: this.#parts.settings.merchantCode,
      url: this.#server?.url,
      clock: this.#parts.clock.mode,
      payins: this.#parts.ledger.payins.size,
      payouts: this.#parts.ledger.payouts.size,
    }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return { sandbox: this.toJSON() }
  }
}
