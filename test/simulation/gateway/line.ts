import type { GatewayRequest } from '../../../packages/sandbox/src/gateway/wire/request.js'
import { knowableFrom, type Sent } from '../judge/calls.js'
import type { Judge } from '../judge/judge.js'
import type { Fault, MessageFault } from '../plan.js'
import type { Machine } from '../world/machine.js'
import type { Random } from '../world/random.js'
import type { World } from '../world/world.js'
import type { Gateway } from './gateway.js'
import { type Answer, broken, brokenResponse, proxyAnswer, requestOf, sentBy, wholeResponse } from './wire.js'

/** What a line needs to carry requests. */
export interface LineParts {
  readonly world: World
  readonly judge: Judge
  readonly gateway: Gateway
}

/** The network between one host and the gateway, as a `fetch`. */
export class Line {
  readonly #parts: LineParts
  readonly #host: number

  constructor(parts: LineParts, host: number) {
    this.#parts = parts
    this.#host = host
  }

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const request = requestOf(String(input), init)
    return new Promise((resolve, reject) => {
      const caller = { resolve, reject, signal: init?.signal ?? undefined }
      new Exchange(this.#parts, this.#host, request, caller).begin()
    })
  }
}

interface Caller {
  readonly resolve: (response: Response) => void
  readonly reject: (error: Error) => void
  /** Fires when it does not listen any more. */
  readonly signal: AbortSignal | undefined
}

/** One request and what becomes of it. */
class Exchange {
  readonly #parts: LineParts
  readonly #host: number
  readonly #request: GatewayRequest
  readonly #caller: Caller
  readonly #luck: Random
  readonly #sent: Sent | undefined
  readonly #machine: Machine
  readonly #life: number

  constructor(parts: LineParts, host: number, request: GatewayRequest, caller: Caller) {
    this.#parts = parts
    this.#machine = parts.world.here
    this.#life = this.#machine.life
    this.#host = host
    this.#request = request
    this.#caller = caller
    this.#luck = parts.world.spells.luck(`host-${host} ${request.method} ${request.path}`)
    this.#sent = sentBy(parts.judge, request)
  }

  begin(): void {
    const { world } = this.#parts
    const travelMs = world.travelMs(this.#luck)
    this.#note(`sends ${this.#request.method} ${this.#request.path}`)
    if (this.#hit('refused') !== undefined) {
      this.#refuse(travelMs)
      return
    }
    const lost = this.#hit('request-lost')
    if (lost !== undefined) {
      this.#lose(lost, travelMs)
      return
    }
    const late = this.#hit('request-late')
    // What is later than the network promises may come too close to others, whoever counts.
    const lateMs = late === undefined ? 0 : 400 * 2 ** late.variant
    const isRepeated = this.#hit('repeated') !== undefined
    world.at(world.gateway, travelMs + lateMs, () => this.#arrive(late === undefined, isRepeated))
  }

  #arrive(isOnTime: boolean, isRepeated: boolean): void {
    const { gateway, judge } = this.#parts
    if (!gateway.isReachable) {
      this.#reset(1)
      return
    }
    const proxy = this.#hit('proxy')
    if (proxy !== undefined && proxy.variant % 2 === 0) {
      this.#answer(proxyAnswer(proxy))
      return
    }
    if (isOnTime) judge.arrives()
    void gateway.arrive(this.#request, isRepeated).then((response) => {
      if (proxy === undefined) this.#answer({ ...response, isGateways: true })
      else this.#answer(proxyAnswer(proxy))
    })
  }

  #answer(answer: Answer): void {
    const { world } = this.#parts
    const travelMs = world.travelMs(this.#luck)
    const lost = this.#hit('answer-lost')
    if (lost !== undefined) {
      this.#lose(lost, travelMs)
      return
    }
    const late = this.#hit('answer-late')
    const lateMs = late === undefined ? 0 : 400 * 2 ** late.variant
    const cut = this.#hit('answer-cut')
    if (cut !== undefined) {
      this.#cut(answer, cut, travelMs + lateMs)
      return
    }
    this.#home(travelMs + lateMs, () => {
      if (this.#sent !== undefined) this.#sent.knowable = knowableFrom(answer.status, answer.isGateways)
      this.#note(`hears ${answer.status} to ${this.#request.method} ${this.#request.path}`)
      this.#caller.resolve(wholeResponse(answer))
    })
  }

  /** The headers and half of the body, and then the end of the connection, or nothing more. */
  #cut(answer: Answer, { variant }: Fault, inMs: number): void {
    const { world } = this.#parts
    this.#home(inMs, () => {
      this.#note(`hears half of ${answer.status} to ${this.#request.method} ${this.#request.path}`)
      const half = new TextEncoder().encode(answer.body.slice(0, answer.body.length / 2))
      const machine = this.#machine
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          if (half.length > 0) controller.enqueue(half)
          if (variant % 2 === 0) world.at(machine, 5, () => controller.error(broken('ECONNRESET')))
        },
      })
      this.#caller.resolve(brokenResponse(answer, body))
    })
  }

  /** A reset, or silence. */
  #lose({ variant }: Fault, inMs: number): void {
    if (variant % 3 === 0) this.#reset(inMs)
    else this.#note(`will never hear of ${this.#request.method} ${this.#request.path}`)
  }

  #reset(inMs: number): void {
    this.#home(inMs, () => this.#caller.reject(broken('ECONNRESET')))
  }

  #refuse(inMs: number): void {
    this.#home(inMs, () => {
      if (this.#sent !== undefined) this.#sent.knowable = 'nothing'
      this.#note(`is refused a connection for ${this.#request.method} ${this.#request.path}`)
      this.#caller.reject(broken('ECONNREFUSED'))
    })
  }

  /** On the host, unless that has stopped, or nobody listens there any more. */
  #home(inMs: number, happen: () => void): void {
    if (this.#machine.life !== this.#life) return
    this.#parts.world.at(this.#machine, inMs, () => {
      if (this.#caller.signal?.aborted !== true) happen()
    })
  }

  #hit(kind: MessageFault): Fault | undefined {
    return this.#parts.world.spells.hit(this.#luck, [kind], this.#host)
  }

  #note(what: string): void {
    this.#parts.world.trace.add(`host-${this.#host}`, what)
  }
}
