import type { ServerResponse } from 'node:http'
import { streamHeaders } from './http/responses.js'
import type { PageParts } from './parts/parts.js'
import { liveUpdateOf } from './rate.js'

const MOST_VIEWERS = 16
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

  /** Subscribes a page; false when too many are open, since each keeps a connection. */
  join(response: ServerResponse): boolean {
    if (this.#viewers.size >= MOST_VIEWERS) return false
    response.writeHead(200, streamHeaders)
    // Nothing is written while nothing changes.
    response.socket?.setTimeout(0)
    this.#viewers.add(response)
    response.on('close', () => this.#leave(response))
    response.on('drain', () => {
      if (this.#behind.delete(response)) this.#send(response, this.#event())
    })
    this.#unfollow ??= this.#parts.changes.subscribe(() => this.#scheduleSend())
    this.#keepAlive ??= setInterval(() => this.#comment(), KEEP_ALIVE_MS).unref()
    this.#send(response, this.#event())
    return true
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
