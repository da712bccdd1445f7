import type { Priority } from './limiter.js'

export interface Queued {
  readonly priority: Priority
  /** The method that was called, or what the client does by itself: flows of one priority take turns. */
  readonly flow: string
  readonly since: number
}

export const callbackFlow = 'callback'

/**
 * Who goes next: priorities over fair queues.
 *
 * - Tokens go before customers, these before callbacks, and these before the rest of the background.
 * - So that nothing starves, callbacks and the rest keep one permit in ten each, and customers every other one.
 * - Otherwise flows take turns (fair queuing, RFC 970): a thousand payouts don't hold up a payin, nor `waitFor`.
 * - In a flow, the call that began first goes first. So a retry goes before calls that began after its own.
 */
export class FairQueue<T extends Queued> {
  readonly #tokens = new RoundRobin<T>()
  readonly #customers = new RoundRobin<T>()
  readonly #callbacks = new RoundRobin<T>()
  readonly #rest = new RoundRobin<T>()
  // With a token for each payment there are as many requests of both kinds.
  readonly #foreground = new Preference<T>(this.#tokens, this.#customers, { oneIn: 2 })
  // One in ten of all: the rest has one of ten, and callbacks one of the nine others.
  readonly #notRest = new Preference<T>(this.#foreground, this.#callbacks, { oneIn: 9 })
  readonly #all = new Preference<T>(this.#notRest, this.#rest, { oneIn: 10 })

  get size(): number {
    return this.#all.size
  }

  get isAllBackground(): boolean {
    return this.#foreground.size === 0
  }

  depth(priority: Priority): number {
    if (priority === 'background') return this.#callbacks.size + this.#rest.size
    return priority === 'token' ? this.#tokens.size : this.#customers.size
  }

  add(item: T): void {
    this.#queueOf(item).add(item)
  }

  remove(item: T): boolean {
    return this.#queueOf(item).remove(item)
  }

  take(): T | undefined {
    return this.#all.take()
  }

  #queueOf({ priority, flow }: T): RoundRobin<T> {
    if (priority === 'token') return this.#tokens
    if (priority === 'customer') return this.#customers
    return flow === callbackFlow ? this.#callbacks : this.#rest
  }
}

interface Line<T> {
  readonly size: number
  take(): T | undefined
}

class Preference<T> implements Line<T> {
  readonly #first: Line<T>
  readonly #second: Line<T>
  readonly #oneIn: number
  #passedOver = 0

  constructor(first: Line<T>, second: Line<T>, { oneIn }: { oneIn: number }) {
    this.#first = first
    this.#second = second
    this.#oneIn = oneIn
  }

  get size(): number {
    return this.#first.size + this.#second.size
  }

  take(): T | undefined {
    const areBoth = this.#first.size > 0 && this.#second.size > 0
    this.#passedOver = areBoth ? (this.#passedOver + 1) % this.#oneIn : 0
    const isSecond = areBoth ? this.#passedOver === 0 : this.#first.size === 0
    return (isSecond ? this.#second : this.#first).take()
  }
}

class RoundRobin<T extends Queued> implements Line<T> {
  readonly #flows = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: T): void {
    this.#size++
    const items = this.#flows.get(item.flow)
    if (items === undefined) {
      this.#flows.set(item.flow, [item])
      return
    }
    // Most calls have just begun, so their place is at the end.
    let place = items.length
    while (place > 0 && (items[place - 1]?.since ?? 0) > item.since) place--
    items.splice(place, 0, item)
  }

  remove(item: T): boolean {
    const items = this.#flows.get(item.flow)
    const place = items?.indexOf(item) ?? -1
    if (items === undefined || place === -1) return false
    items.splice(place, 1)
    this.#size--
    if (items.length === 0) this.#flows.delete(item.flow)
    return true
  }

  take(): T | undefined {
    const [next] = this.#flows
    if (next === undefined) return undefined
    const [flow, items] = next
    this.#size--
    const item = items.shift()
    this.#flows.delete(flow)
    if (items.length > 0) this.#flows.set(flow, items)
    return item
  }
}
