import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { PaymentKind } from '../../../../src/index.js'
import { mediaType } from '../answer.js'

/** A callback as it arrived. */
export interface CaughtCallback {
  readonly kind: PaymentKind
  /** By `performance.now()`. */
  readonly cameMs: number
  readonly answeredMs: number
  readonly method: string
  readonly headers: readonly string[]
  readonly contentType?: string
  readonly body: string
  /** What it was answered with. */
  readonly status: number
}

const mostBytes = 65_536
const mostCallbacks = 1000

/** Receives the callbacks of two payments on this machine, each at an address that nobody else can guess. */
export class CallbackCatcher {
  readonly caught: CaughtCallback[] = []
  /** Says what a callback is to be answered with: it is told at once that one has come. */
  statusOf: (kind: PaymentKind) => Promise<number> = async () => 204
  readonly secret = randomBytes(12).toString('hex')
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      const kind = this.#kindOf(request)
      if (kind === undefined || this.caught.length >= mostCallbacks) {
        response.writeHead(404).end()
        return
      }
      this.#answer(kind, request).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(500).end(),
      )
    })
    // A gateway that never ends its request is no reason to wait.
    this.#server.requestTimeout = 20_000
  }

  /** @returns the address of this machine. */
  listen(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => {
        const address = this.#server.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
      })
    })
  }

  urlFor(kind: PaymentKind, publicUrl: string): string {
    return `${publicUrl.replace(/\/+$/, '')}/${this.secret}/${kind}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #kindOf({ url = '' }: IncomingMessage): PaymentKind | undefined {
    const path = url.split('?')[0] ?? ''
    return (['payin', 'payout'] as const).find((kind) => path.endsWith(`/${this.secret}/${kind}`))
  }

  async #answer(kind: PaymentKind, request: IncomingMessage): Promise<number> {
    const cameMs = performance.now()
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request) {
      bytes += Buffer.byteLength(part)
      if (bytes <= mostBytes) parts.push(Buffer.from(part))
    }
    const status = await this.statusOf(kind)
    const { method = '', headers } = request
    const contentType = mediaType(headers['content-type'])
    this.caught.push({
      kind,
      cameMs,
      answeredMs: performance.now(),
      method,
      headers: Object.keys(headers),
      ...(contentType === undefined ? {} : { contentType }),
      body: Buffer.concat(parts).toString('utf8'),
      status,
    })
    return status
  }
}
