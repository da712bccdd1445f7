import type { CallbackReply, CallbackRequest } from '../../../packages/sandbox/src/index.js'
import type { Gateway } from '../gateway/gateway.js'
import type { Judge } from '../judge/judge.js'
import type { World } from '../world/world.js'
import type { Host } from './host.js'

interface FrontDoorParts {
  readonly world: World
  readonly judge: Judge
  readonly gateway: () => Gateway
  readonly hosts: () => readonly Host[]
}

/** The merchant's public address: whatever comes goes to some host that is up. */
export class FrontDoor {
  readonly #parts: FrontDoorParts

  constructor(parts: FrontDoorParts) {
    this.#parts = parts
  }

  /** Some host that is up; the same one for the same message of a seed. */
  someHost(message: string): Host | undefined {
    const [first, ...rest] = this.#parts.hosts().filter(({ isUp }) => isUp)
    return first === undefined ? undefined : this.#parts.world.spells.luck(message).pick([first, ...rest])
  }

  /** The gateway calls back. Without a response it gives up by itself. */
  deliver({ url, signal }: CallbackRequest): Promise<CallbackReply> {
    const { world } = this.#parts
    const { spells, gateway } = world
    const luck = spells.luck(`callback ${url}`)
    const lateMs = 1000 * ((spells.hit(luck, ['callback-late'])?.variant ?? -1) + 1)
    const inMs = world.travelMs(luck) + lateMs
    const isLost = spells.hit(luck, ['callback-lost']) !== undefined
    const isTwice = spells.hit(luck, ['callback-twice']) !== undefined
    return new Promise((resolve) => {
      const answered = (status: number) => {
        if (spells.hit(luck, ['callback-answer-lost']) !== undefined || signal.aborted) return
        world.at(gateway, world.travelMs(luck), () => resolve({ status }))
      }
      if (!isLost) this.#call(url, inMs, answered)
      if (isTwice) this.#call(url, inMs + luck.whole(0, 500), () => undefined)
    })
  }

  #call(url: string, inMs: number, answered: (status: number) => void): void {
    const { world, judge, gateway } = this.#parts
    const host = this.someHost(`callback to ${url}`)
    if (host === undefined) {
      answered(502)
      return
    }
    const { name } = host.machine
    world.at(host.machine, inMs, () => {
      const { kind, id } = paymentIn(url)
      const payment = gateway().find(kind, id)
      const statuses = payment?.history.length ?? 0
      world.trace.add(name, `is called back about ${kind} ${id}`)
      void host.receive(url).then((status) => {
        world.trace.add(name, `answers ${status} about ${kind} ${id}`)
        if (status < 300 && payment !== undefined) judge.callbackTaken(payment, statuses)
        answered(status)
      })
    })
  }
}

/** Whose callback it is, by the form of its URL. */
function paymentIn(url: string): { readonly kind: 'payin' | 'payout'; readonly id: string } {
  const [, kind, encodedId = ''] = /\.(payin|payout)\.([\w-]+)\.[\w-]+$/.exec(url) ?? []
  return { kind: kind === 'payin' ? 'payin' : 'payout', id: Buffer.from(encodedId, 'base64url').toString() }
}
