import { createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Sandbox } from '../../packages/sandbox/src/index.js'
import { listen } from '../support/listening.js'
import { turns } from '../support/turns.js'
import { type Answer, wholeAnswer, write } from './answers.js'
import type { Certificates } from './certificates.js'
import { type Channel, endSocket, plainChannel, tlsChannel } from './channel.js'
import type { ConnectionFault, Ending, WireFault } from './faults.js'
import { type ReadRequest, readRequest, startOf } from './requests.js'

export interface WireGatewayOptions {
  /** It answers, and its record judges. */
  readonly sandbox: Sandbox
  /** With them it speaks TLS. */
  readonly certificates?: Certificates | undefined
  /** Asked when the first line of a request has come. */
  readonly faultOf: (request: { readonly method: string; readonly path: string }) => WireFault | undefined
  /** Asked when a connection has come. */
  readonly connectionFault: () => ConnectionFault | undefined
}

export interface WireGateway extends AsyncDisposable {
  readonly url: string
  /** How many bytes the last request and its response had. */
  readonly last: Lengths
  /** Ends every connection on which nothing has come that is not answered, at this very moment. */
  endIdle(by: Ending): void
  /** Ends all connections, and resolves when nothing that was sent is still to be processed. */
  quiet(): Promise<void>
}

export interface Lengths {
  request: number
  answer: number
}

interface State {
  readonly last: Lengths
  /** Requests that have come and are not processed. */
  underWay: number
}

/** The sandbox behind real sockets, on which whatever is wanted goes wrong, byte by byte. */
export async function wireGateway(options: WireGatewayOptions): Promise<WireGateway> {
  const { certificates } = options
  const contexts =
    certificates &&
    new Map(Object.entries(certificates).map(([name, one]) => [name, createSecureContext(one)]))
  const sockets = new Set<Socket>()
  const connections = new Map<Socket, Connection>()
  const state: State = { last: { request: 0, answer: 0 }, underWay: 0 }
  const server = createServer((raw) => {
    raw.setNoDelay(true)
    raw.on('error', () => {})
    sockets.add(raw)
    raw.on('close', () => {
      sockets.delete(raw)
      connections.get(raw)?.closed()
      connections.delete(raw)
    })
    const fault = options.connectionFault()
    if (fault?.kind === 'refused' || fault?.kind === 'plain-text') {
      raw.resume()
      if (fault.kind === 'refused') endSocket(raw, fault.by)
      else raw.end('HTTP/1.1 400 X\r\ncontent-length: 0\r\n\r\n')
      return
    }
    const context = contexts?.get(fault?.kind === 'certificate' ? fault.name : 'right')
    const channel =
      context === undefined
        ? plainChannel(raw)
        : tlsChannel(raw, context, fault?.kind === 'handshake-ends' ? fault : undefined)
    const connection = new Connection(channel, options, state)
    connections.set(raw, connection)
    if (fault?.kind === 'greeting') void connection.greet(fault.status)
    else connection.listen()
  })
  const port = await listen(server)
  return {
    url: `${certificates === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    last: state.last,
    endIdle(by) {
      for (const connection of connections.values()) connection.endIfIdle(by)
    },
    async quiet() {
      do {
        // Again each time: one may have been on its way here, with a request that waits for its end.
        for (const raw of sockets) raw.destroy()
        await turns(20)
      } while (state.underWay > 0)
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const raw of sockets) raw.destroy()
        server.close(() => resolve())
      }),
  }
}

/** One connection: its requests, one after another. */
class Connection {
  readonly #channel: Channel
  readonly #options: WireGatewayOptions
  readonly #state: State
  #received: Buffer = Buffer.alloc(0)
  #fault: WireFault | undefined
  #hasBegun = false
  #isBusy = false
  #isOver = false
  #isClosed = false
  /** What is to be done when its other side has gone. */
  #onClose = () => {}

  constructor(channel: Channel, options: WireGatewayOptions, state: State) {
    this.#channel = channel
    this.#options = options
    this.#state = state
  }

  listen(): void {
    this.#channel.stream.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      void this.#next()
    })
  }

  async greet(status: number): Promise<void> {
    this.#channel.stream.resume()
    await this.#end({ status, headers: {}, body: '' }, 'end')
  }

  closed(): void {
    this.#isClosed = true
    this.#onClose()
  }

  endIfIdle(by: Ending): void {
    if (this.#isBusy || this.#received.length > 0) return
    this.#isOver = true
    this.#channel.end(by)
  }

  async #next(): Promise<void> {
    while (!this.#isBusy && !this.#isOver) {
      const start = startOf(this.#received)
      if (start === undefined) return
      if (!this.#hasBegun) this.#fault = this.#options.faultOf(start)
      this.#hasBegun = true
      const request = readRequest(this.#received)
      const fault = this.#fault
      if (fault?.kind === 'request-ends' || fault?.kind === 'early-answer') {
        if (request === undefined && this.#received.length < fault.at) return
        return this.#refuse(fault)
      }
      if (request === undefined) return
      this.#isBusy = true
      this.#received = this.#received.subarray(request.length)
      const goesOn = await this.#serve(request, fault)
      this.#isBusy = false
      this.#hasBegun = false
      this.#isOver ||= !goesOn
    }
  }

  /** Nothing of the request is processed, whatever it is told. */
  #refuse(
    fault: Extract<WireFault, { readonly kind: 'request-ends' | 'early-answer' }>,
  ): Promise<void> | void {
    this.#isOver = true
    if (fault.kind === 'request-ends') return this.#channel.end(fault.by)
    return this.#end({ status: fault.status, headers: {}, body: '{"code":"EARLY"}' }, fault.by)
  }

  async #end(answer: Answer, by: Ending): Promise<void> {
    await write(this.#channel, answer)
    this.#channel.end(by)
  }

  async #serve(
    request: ReadRequest,
    fault: Exclude<WireFault, { kind: 'request-ends' | 'early-answer' }> | undefined,
  ): Promise<boolean> {
    if (fault?.kind === 'late') {
      this.#state.underWay++
      this.#onClose = () => void this.#process(request).finally(() => this.#state.underWay--)
      // What has come may be read after the other side has gone.
      if (this.#isClosed) this.#onClose()
      return false
    }
    this.#state.underWay++
    const answer = await this.#process(request).finally(() => this.#state.underWay--)
    this.#state.last.request = request.length
    this.#state.last.answer = wholeAnswer(answer).length
    return write(this.#channel, answer, fault)
  }

  async #process({ method, path, headers, body }: ReadRequest): Promise<Answer> {
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers
    const response = await this.#options.sandbox.fetch(`http://gateway.example${path}`, {
      method,
      headers: others,
      body: body.length === 0 ? null : Uint8Array.from(body),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }
}
