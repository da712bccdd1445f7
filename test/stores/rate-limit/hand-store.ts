import type { Limiter } from '../../../src/index.js'
import { type Ledger, newLedger } from '../../../src/stores/rate-limit/ledger.js'
import {
  type IoRedisConnection,
  type RedisRateLimitOptions,
  redisRateLimit,
} from '../../../src/stores/redis/index.js'

/** What one of several processes gives its client, which knows of the others by their store alone. */
export function limitOver(
  connection: IoRedisConnection,
  more: Partial<RedisRateLimitOptions> = {},
): Limiter & Required<Pick<Limiter, 'sent' | 'pause'>> {
  const limiter = redisRateLimit({ connection, name: 'M-1', onStoreAway: () => {}, ...more })
  return {
    acquire: (signal, request) => limiter.acquire(signal, request),
    sent: () => limiter.sent?.(),
    pause: (ms) => limiter.pause?.(ms),
  }
}

/**
 * A Redis that keeps one ledger, on the clock of `performance.now()`, and takes its time, fails or hangs as a test
 * says. It knows no commands: a script with one argument reads, and one with more writes.
 */
export class HandStore implements IoRedisConnection {
  /** What is kept: begun so long ago that nothing is left of then. */
  text: string | undefined = JSON.stringify(newLedger(1, 0))
  /** How often it was read, and what was written. */
  reads = 0
  readonly written: Ledger[] = []
  /** How its clock differs from that of the process. */
  offsetMs = 1_763_790_000_000
  /** There, and back. */
  travelMs: readonly [number, number] = [0, 0]
  state: 'there' | 'refusing' | 'hanging' = 'there'
  #version = 0
  #hanging: (() => void)[] = []

  call(_evalsha: string, ...[, , , longest, version, text]: string[]): Promise<unknown> {
    return version === undefined || text === undefined
      ? this.read(Number(longest))
      : this.#swap(version, text)
  }

  /** @returns the time, the text and its version. */
  read(longest: number): Promise<(number | string)[]> {
    this.reads++
    // On a clock that stands still, who asks without end would never come to an end.
    if (this.reads > 40_000) throw new Error('the store is asked without end')
    return this.#answer(() => [
      Math.floor(performance.now() + this.offsetMs),
      this.text?.slice(0, longest) ?? '',
      `${this.#version}`,
    ])
  }

  #swap(version: string, text: string): Promise<number> {
    return this.#answer(() => {
      if (version !== `${this.#version}`) return 0
      this.keep(text)
      this.written.push(JSON.parse(text))
      return 1
    })
  }

  /** Something else is kept from now on. */
  keep(text: string | undefined): void {
    this.#version++
    this.text = text
  }

  forget(): void {
    this.keep(undefined)
  }

  /** It answers again, what was asked meanwhile too. */
  comeBack(): void {
    this.state = 'there'
    for (const resolve of this.#hanging.splice(0)) resolve()
  }

  async #answer<T>(answer: () => T): Promise<T> {
    if (this.state === 'refusing') throw new Error('ECONNREFUSED')
    if (this.state === 'hanging') await new Promise<void>((resolve) => this.#hanging.push(resolve))
    const [there, back] = this.travelMs
    if (there > 0) await later(there)
    const value = answer()
    if (back > 0) await later(back)
    return value
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
