import { expect } from 'vitest'
import {
  type GatewayEventName,
  type GatewayEvents,
  type GatewayLogger,
  onGatewayEvent,
} from '../../../src/index.js'

/** Hears every channel until it is disposed of. */
export class Listening implements Disposable {
  /** In the order in which it was told. */
  readonly all: { readonly name: GatewayEventName; readonly event: object }[] = []
  readonly #stops: (() => void)[] = []
  readonly callsStarted = this.#gather('merchant-gateway:call:start')
  readonly callsEnded = this.#gather('merchant-gateway:call:end')
  readonly attemptsStarted = this.#gather('merchant-gateway:attempt:start')
  readonly attemptsEnded = this.#gather('merchant-gateway:attempt:end')
  readonly tokens = this.#gather('merchant-gateway:token')
  readonly rateLimit = this.#gather('merchant-gateway:rate-limit')
  readonly drift = this.#gather('merchant-gateway:drift')
  readonly callbacks = this.#gather('merchant-gateway:callback')

  /** What was told of one method: its calls and their attempts. */
  of(name: string) {
    return {
      started: this.callsStarted.filter(({ call }) => call.name === name),
      ended: this.callsEnded.filter(({ call }) => call.name === name),
      attemptsStarted: this.attemptsStarted.filter(({ attempt }) => attempt.call.name === name),
      attemptsEnded: this.attemptsEnded.filter(({ attempt }) => attempt.call.name === name),
    }
  }

  #gather<Name extends GatewayEventName>(name: Name): GatewayEvents[Name][] {
    const events: GatewayEvents[Name][] = []
    const stop = onGatewayEvent(name, (event) => {
      expectGoodNumbers(event)
      // As it is now: the event of a start gets the rest of its fields at the end.
      const heard = { ...event }
      events.push(heard)
      this.all.push({ name, event: heard })
    })
    this.#stops.push(stop)
    return events
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }
}

/** No number of an event is negative, infinite, or no number. */
function expectGoodNumbers(event: object): void {
  for (const value of Object.values(event)) {
    if (typeof value === 'number') expect(value >= 0 && Number.isFinite(value)).toBe(true)
  }
}

/** Any number: how long something took. */
export const ms: unknown = expect.any(Number)
/** A function of an event. */
export const fn: unknown = expect.any(Function)

/** A logger that keeps its lines, each with its level in front. */
export function keepingLogger(): { readonly logger: GatewayLogger; readonly lines: string[] } {
  const lines: string[] = []
  const at = (level: string) => (line: string) => {
    lines.push(`${level} ${line}`)
  }
  return { lines, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}

/** The lines that a log shows when it does not show those for debug. */
export function shown(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.startsWith('debug '))
}
