import type { ServerResponse } from 'node:http'
import type { PageParts } from './parts.js'
import { newsOf } from './rate.js'

const MOST_VIEWERS = 16
const COALESCE_MS = 150
const KEEP_ALIVE_MS = 15_000
/** Above this a page is not reading; it gets the newest state when it does again. */
const MOST_UNREAD_BYTES = 64 * 1024

/**
 * Tells the pages that something has changed (Server-Sent Events). It says that, and how fast requests
 * come; what has changed each page asks for itself, in the part that it shows. So a thousand changes
 * cost as much as one.
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

  /** Whether the page was let in: every one costs a connection. */
  join(response: ServerResponse): boolean {
    if (this.#viewers.size >= MOST_VIEWERS) return false
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    // A stream rests for as long as nothing happens.
    response.socket?.setTimeout(0)
    this.#viewers.add(response)
    response.on('close', () => this.#leave(response))
    response.on('drain', () => {
      if (this.#behind.delete(response)) this.#tell(response, this.#news())
    })
    this.#unfollow ??= this.#parts.pulse.follow(() => this.#soon())
    this.#keepAlive ??= setInterval(() => this.#comment(), KEEP_ALIVE_MS).unref()
    this.#tell(response, this.#news())
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

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const news = this.#news()
      for (const viewer of this.#viewers) this.#tell(viewer, news)
    }, COALESCE_MS).unref()
  }

  #news(): string {
    return `data: ${JSON.stringify(newsOf(this.#parts))}\n\n`
  }

  #tell(viewer: ServerResponse, event: string): void {
    if (viewer.writableLength > MOST_UNREAD_BYTES) this.#behind.add(viewer)
    else viewer.write(event)
  }

  #comment(): void {
    for (const viewer of this.#viewers) if (viewer.writableLength === 0) viewer.write(': still here\n\n')
  }
}
