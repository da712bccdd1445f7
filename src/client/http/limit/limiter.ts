/** What a limiter gives out: one request may be sent. */
export interface Permit {
  /**
   * Until when the request may begin to be written: a moment as `performance.now()` has it. One that is later is
   * not sent with this permit: `sent()` is called, and another permit is asked for.
   */
  readonly useBefore: number
}

/**
 * Who goes first when there is not enough for all: tokens, since everything waits for them; what somebody waits for in
 * person; and `'background'`: status requests for callbacks, polls, and calls that say so.
 */
export type Priority = 'token' | 'customer' | 'background'

/** For whom a permit is asked for. */
export interface PermitRequest {
  /** `'background'` while nothing else waits. */
  readonly priority: 'customer' | 'background'
}

/**
 * Decides when the next request may be sent. Plug in another one for another rate, or for one
 * that many processes share.
 */
export interface Limiter {
  /**
   * Resolves when one more request may be sent; returns undefined when that is now. It is asked for
   * one permit at a time, as long as it heeds the signal. Who gets the permit is decided when it is
   * there. One that a pause after a 429 overtakes is not used: `sent()` is called, and another is asked for.
   *
   * @param signal fires when nobody waits for a permit any more, or when it is to be asked for with another
   * priority: stop asking and leave no timer.
   * @returns a permit, or nothing for one that is good at any time.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function that returns nothing is a limiter.
  acquire(signal: AbortSignal, request: PermitRequest): PromiseLike<Permit | void> | Permit | undefined
  /**
   * Called when a permitted request went out, or ended before that; may be left out. A
   * process that is killed between the two never calls it, so a shared limiter must not wait for it.
   * It must not throw.
   */
  sent?(): void
  /** Called when the gateway answered 429: nobody who shares the limit should be permitted for so long, in milliseconds. */
  pause?(ms: number): void
  /**
   * Called once by each client, when it is made; may be left out. The client uses the limiter that this gives in place
   * of this one, so that merchants who are given the same object have a limit each.
   *
   * @param account names the merchant at its base address: `client.account`.
   */
  forAccount?(account: string): Limiter
}

/**
 * How the gateway counts its requests a second, where that is known (specification, section 8).
 *
 * @example
 * const client = GatewayClient.fromEnv({ rateLimit: { requestsPerSecond: 10, counted: 'evenly-spaced' } })
 */
export interface CountedRate {
  /** 0.001 or more; above 1 a fraction is dropped, below 1 it is one request in a longer time. */
  requestsPerSecond: number
  /**
   * `'in-windows'`: all of them may come at once (a sliding or fixed window, a token bucket).
   * `'evenly-spaced'`: no two at once, as nginx counts without `burst`. Left out, the client finds out.
   */
  counted?: Counted | undefined
}

/** The ways of counting that the client tells apart. */
export type Counted = 'in-windows' | 'evenly-spaced'
