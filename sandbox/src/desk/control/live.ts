import type { ServerResponse } from 'node:http'
import { STEP_MS } from '../../gateway/engine/rate-meter.js'
import { streamHeaders } from './http/responses.js'
import type { PageParts } from './parts.js'

/** What the live stream says, at most a few times a second. */
export type LiveUpdate = ReturnType<typeof liveUpdateOf>
export type Rate = LiveUpdate['rate']

/** A browser keeps six connections to a host, for all its tabs: two stay free for what the pages ask. */
const MOST_STREAMS = 4
const ASK_AGAIN_MS = 2000
const COALESCE_MS = 150
const KEEP_ALIVE_MS = 15_000
/** A page with more than this unread gets nothing more until it has read; then it gets the newest state. */
const MOST_UNREAD_BYTES = 64 * 1024

/**
 * Sends the open pages an event (Server-Sent Events) when something has changed, with the request rate. Each
 * page then asks for what it shows. Changes within 150 ms make one event, so a thousand cost as much as one.
 */
export class Live {
  readonly #parts: PageParts
  readonly #viewers = new Set<ServerResponse>()
  readonly #behind = new WeakSet<ServerResponse>()
  #unfollow: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #keepAlive: NodeJS.Timeout | undefined

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** Subscribes a page. While four others are, it gets what is so now, and asks again after two seconds. */
  join(response: ServerResponse): void {
    response.writeHead(200, streamHeaders)
    if (this.#viewers.size >= MOST_STREAMS) {
      response.end(`retry: ${ASK_AGAIN_MS}\n${this.#event()}event: ask-again\ndata: \n\n`)
      return
    }
    // Nothing is written while nothing changes.
    response.socket?.setTimeout(0)
    this.#viewers.add(response)
    response.on('close', () => this.#leave(response))
    response.on('drain', () => {
      if (this.#behind.delete(response)) this.#send(response, this.#event())
    })
    this.#unfollow ??= this.#parts.changes.subscribe(() => this.#scheduleSend())
    this.#keepAlive ??= setInterval(() => this.#comment(), KEEP_ALIVE_MS).unref()
    this.#send(response, `retry: ${ASK_AGAIN_MS}\n${this.#event()}`)
  }

  #leave(response: ServerResponse): void {
    this.#viewers.delete(response)
    if (this.#viewers.size > 0) return
    this.#unfollow?.()
    this.#unfollow = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    clearInterval(this.#keepAlive)
    this.#keepAlive = undefined
  }

  #scheduleSend(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const event = this.#event()
      for (const viewer of this.#viewers) this.#send(viewer, event)
    }, COALESCE_MS).unref()
  }

  #event(): string {
    return `data: ${JSON.stringify(liveUpdateOf(this.#parts))}\n\n`
  }

  #send(viewer: ServerResponse, event: string): void {
    if (viewer.writableLength > MOST_UNREAD_BYTES) this.#behind.add(viewer)
    else viewer.write(event)
  }

  #comment(): void {
    for (const viewer of this.#viewers) if (viewer.writableLength === 0) viewer.write(': still here\n\n')
  }
}

/** The requests of the last minute, second by second. */
function rateOf({ clock, meter, limiter }: PageParts) {
  const now = clock.monotonic()
  return {
    /** Requests a second; null for no limit. */
    limit: limiter.state.limit === false ? null : limiter.state.limit,
    /** The second that is running, and how far it has come: 12.5 is the middle of the 13th. */
    now: now / STEP_MS,
    /** Whether time passes by itself. */
    moving: clock.mode === 'real',
    samples: meter.read(now).map(({ step, passed, refused }) => [step, passed, refused] as const),
  }
}

function liveUpdateOf(parts: PageParts) {
  const { ledger, clock } = parts
  return { now: clock.now(), held: ledger.payins.size + ledger.payouts.size, rate: rateOf(parts) }
}
