import { channel } from 'node:diagnostics_channel'
import type { GatewayRequest } from '../../packages/sandbox/src/gateway/wire/request.js'
import type { CallbackReply } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver, type PaymentRef } from '../../src/callbacks/index.js'
import {
  type BalancesEvent,
  GatewayClient,
  isFinal,
  isGatewayError,
  type PaymentLike,
} from '../../src/index.js'
import { signer } from '../simulation/gateway/keys.js'
import { baseUrl } from '../simulation/gateway/wire.js'
import { Random } from '../simulation/world/random.js'
import type { World } from '../simulation/world/world.js'
import { amounts, type Fate, makeGateway } from './gateway.js'
import { dayMs, hourMs, minuteMs, type Story, type Trouble } from './story.js'

/** A merchant with one host, with payins in the daytime, a payout each evening, and the usual small mishaps. */
export class Shop {
  readonly #world: World
  readonly #story: Story
  readonly #luck = new Random('alerts')
  readonly #gateway: ReturnType<typeof makeGateway>
  readonly #client: GatewayClient
  readonly #receiver: CallbackReceiver
  readonly #open = new Map<string, PaymentRef>()

  /** To be made as the program of the host. */
  constructor(world: World, story: Story) {
    this.#world = world
    this.#story = story
    this.#gateway = makeGateway(
      world,
      world.here,
      ({ url }) => this.#calledBack(url),
      (request) => this.#fateOf(request),
    )
    this.#client = new GatewayClient({
      baseUrl,
      merchantCode: 'M-0001',
      signer,
      live: false,
      tokenValiditySecs: 3600,
      fetch: this.#gateway.fetch,
    })
    this.#receiver = new CallbackReceiver({
      client: this.#client,
      publicUrl: 'https://shop.example/gateway/callbacks',
      secrets: [Uint8Array.from({ length: 32 }, (_, n) => n + 1)],
      onPayin: (payin, { idPayin }) => this.#told(idPayin, payin),
      onPayout: (payout, { idPayout }) => this.#told(idPayout, payout),
      onError: () => undefined,
    })
  }

  /** Lets everything happen that the story has. */
  open(): void {
    const { days, payinsPerDay, payoutEveryDays, trouble } = this.#story
    if (trouble !== undefined) this.#plan(trouble)
    for (let day = 0; day < days; day++) {
      for (let n = 0; n < payinsPerDay; n++) {
        const amount = this.#luck.chance(0.1) ? amounts.abandoned : this.#luck.whole(100, 300_000) / 100
        const atMs = day * dayMs + 8 * hourMs + this.#luck.whole(0, 14 * hourMs)
        this.#at(atMs, () => this.#order({ idPayin: `payin-${day}-${n}` }, amount))
      }
      this.#at(day * dayMs + 2 * hourMs, async () => this.#reconcile())
      // In a year, a payout that is open costs more to simulate than all else.
      if (day % payoutEveryDays > 0) continue
      this.#at(day * dayMs + 18 * hourMs, () => {
        const amount = this.#is('payouts stand') ? amounts.abandoned : amounts.overNight
        return this.#order({ idPayout: `payout-${day}` }, amount)
      })
    }
    for (let atMs = 0; atMs < days * dayMs; atMs += 10 * minuteMs) this.#at(atMs, () => this.#sweep())
  }

  /** What the gateway or somebody else does. */
  #plan({ kind, fromMs, untilMs }: NonNullable<Story['trouble']>): void {
    const { faults, tokens, limiter, ledger } = this.#gateway
    const begin = (act: () => void) => this.#world.at(this.#world.gateway, fromMs, act)
    const end = (act: () => void) => this.#world.at(this.#world.gateway, untilMs, act)
    if (kind === 'the key is refused') {
      begin(() => {
        tokens.revokeAll()
        const fault = faults.arm({
          route: 'POST /auth-tokens',
          action: { kind: 'status', status: 401 },
          times: 1_000_000,
        })
        end(() => fault.remove())
      })
    }
    if (kind === 'the rate is spent') {
      begin(() => limiter.change({ limit: 1 }))
      end(() => limiter.change({ limit: 10 }))
      for (let n = 0; n < (untilMs - fromMs) / 1000; n++)
        this.#at(fromMs + n * 1000, () => this.#order({ idPayin: `sale-${n}` }, 10))
    }
    if (kind === 'payouts stand') {
      end(() => {
        for (const { idPayout } of this.#open.values())
          if (idPayout !== undefined) ledger.payouts.find(idPayout)?.change('SUCCESS', 'code')
      })
    }
  }

  #is(kind: Trouble): boolean {
    const { trouble } = this.#story
    const { now } = this.#world
    return trouble?.kind === kind && trouble.fromMs <= now && now < trouble.untilMs
  }

  /** Asks until it is known that the payment is there. */
  async #order(ref: PaymentRef, amount: number): Promise<void> {
    const request = {
      paymentRequested: { money: { amount, currencyCode: 'EUR' } },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        paymentOperatorCode: 'HARBOUR',
        account: { accountName: 'Jana Novak', accountNumber: '0001' },
      },
    }
    this.#open.set(ref.idPayin ?? ref.idPayout, ref)
    for (let waitMs = minuteMs; ; waitMs = Math.min(2 * waitMs, 20 * minuteMs)) {
      try {
        if (ref.idPayin !== undefined) await this.#client.payins.create({ ...ref, ...request })
        else await this.#client.payouts.create({ ...ref, ...request })
        return
      } catch (error) {
        if (!isGatewayError(error)) throw error
        await this.#world.sleep(waitMs)
      }
    }
  }

  async #told(id: string, payment: PaymentLike): Promise<void> {
    if (this.#is('the function fails') || this.#luck.chance(0.003)) throw new Error('the database is away')
    if (isFinal(payment)) this.#open.delete(id)
  }

  async #sweep(): Promise<void> {
    if (this.#open.size === 0) return
    for await (const _ of this.#receiver.catchUp(this.#open.values(), { deliver: true }));
  }

  #reconcile(): void {
    const amount = this.#is('money leaves') ? -250 : 0
    const unexplained = [{ currencyCode: 'EUR', amount }]
    const event: BalancesEvent = { unexplained, oldestOpenMs: { payin: 0, payout: 0 } }
    channel('merchant-gateway:balances').publish(event)
  }

  #calledBack(url: string): Promise<CallbackReply> {
    const { gateway } = this.#world
    const isLost = this.#is('callbacks stop') || this.#luck.chance(0.02)
    return new Promise((resolve) => {
      const answer = (status: number) => this.#world.at(gateway, 20, () => resolve({ status }))
      if (isLost) answer(403)
      else this.#at(this.#world.now + 20, async () => answer((await this.#receiver.receive(url)).status))
    })
  }

  #fateOf({ method, path }: GatewayRequest): Fate {
    const isCreate = method === 'POST' && path.startsWith('/pay')
    if (isCreate && this.#is('answers are lost')) return 'answer-lost'
    if (this.#luck.chance(0.002)) return 'answer-lost'
    // The gateway is away for an hour of an evening, once in a quarter.
    const hour = (this.#world.now % (90 * dayMs)) / hourMs
    return Math.floor(hour) === 45 * 24 + 20 ? 'refused' : 'through'
  }

  /** Something happens on the host; what it throws ends the story. */
  #at(atMs: number, act: () => Promise<void>): void {
    const [host] = this.#world.hosts
    if (host === undefined) return
    this.#world.at(host, atMs - this.#world.now, () => {
      act().catch((error: unknown) => {
        process.nextTick(() => {
          throw error
        })
      })
    })
  }
}
