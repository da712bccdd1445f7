import { randomUUID } from 'node:crypto'
import { PageRefusal } from '../http/responses.js'
import type { ShopState } from '../messages/controls.js'
import type { PageParts } from '../parts/parts.js'
import { PageClient } from './page-client.js'
import { createBody } from './page-create.js'
import { type Mistake, type ShopStep, shopPlan } from './shop-plan.js'

/** A create is sent again under its id until it is known what became of it, so often at most. */
const MOST_TRIES = 4
/** Without a limit the shop still lets the reader follow. */
const UNLIMITED_RATE = 20

/**
 * Plays a shop that has understood the gateway: it sends a create again under the same id when the answer is
 * lost, looks a payment up after a 409, and takes half of the rate, so that the merchant's own application goes on
 * beside it. On a virtual clock it moves the clock on, because nothing passes there by itself.
 */
export class Shop {
  readonly #parts: PageParts
  readonly #client: PageClient
  #state: ShopState | null = null
  #stop = new AbortController()
  #over: Promise<void> = Promise.resolve()

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#client = new PageClient(parts)
  }

  /** Null while it is closed. */
  get state(): ShopState | null {
    return this.#state
  }

  /**
   * Opens it.
   * @throws PageRefusal when it is open already
   */
  open(callbackUrl: string | undefined): void {
    if (this.#state !== null) throw new PageRefusal(409, 'The shop is open already.')
    const { settings, balances } = this.#parts
    const operator = settings.paymentOperators[0]?.code ?? 'HARBOUR'
    const currency = balances.currencies.includes('EUR') ? 'EUR' : (balances.currencies[0] ?? 'EUR')
    this.#stop = new AbortController()
    this.#over = this.#run(shopPlan(settings.magicAmounts, operator, currency, callbackUrl))
  }

  /** Resolves when the step that it is at is over. */
  close(): Promise<void> {
    this.#stop.abort()
    return this.#over
  }

  async #run(plan: readonly ShopStep[]): Promise<void> {
    for (const [done, step] of plan.entries()) {
      if (this.#stop.signal.aborted) break
      this.#show({ done, of: plan.length, step: step.title })
      await this.#play(step)
    }
    this.#show(null)
  }

  async #play(step: ShopStep): Promise<void> {
    if (step.does === 'refuse') return this.#mistake(step.mistake)
    const { order } = step
    const path = `/${order.kind}s/${randomUUID()}`
    for (let tries = 1; tries <= MOST_TRIES && !this.#stop.signal.aborted; tries += 1) {
      await this.#pause(2)
      const answer = await this.#client.call('POST', path, createBody(order))
      const isKnown = answer?.ending === 'whole' && answer.status < 500 && answer.status !== 429
      if (!isKnown) continue
      if (answer.status === 409) {
        await this.#pause(2)
        await this.#client.call('GET', path)
      }
      return
    }
  }

  async #mistake(mistake: Mistake): Promise<void> {
    const { merchantCode } = this.#parts.settings
    const path = `/payins/${randomUUID()}`
    const order = { kind: 'payin', amount: 5, currencyCode: 'EUR', operator: 'HARBOUR' } as const
    await this.#pause(mistake === 'wrong-signature' || mistake === 'no-token' ? 1 : 2)
    switch (mistake) {
      case 'wrong-signature': {
        const body = JSON.stringify({ merchantCode, operations: [], timestamp: this.#client.timestamp() })
        const signature = Buffer.alloc(256, 7).toString('base64')
        await this.#client.send('POST', '/auth-tokens', { 'x-signature': signature }, Buffer.from(body))
        return
      }
      case 'no-token':
        await this.#client.send('POST', path, {}, Buffer.from(JSON.stringify(createBody(order))))
        return
      case 'wrong-scope': {
        const token = await this.#client.mint(['GET /balances'])
        if (typeof token === 'string') await this.#client.callWith(token, 'POST', path, createBody(order))
        return
      }
      case 'bad-amount':
        await this.#client.call('POST', path, createBody({ ...order, amount: 0 }))
        return
      case 'no-version':
        await this.#client.send('GET', '/currencies', { 'x-api-version': undefined }, Buffer.alloc(0))
    }
  }

  /** Waits until so many requests are half of what the limit lets through. */
  async #pause(requests: number): Promise<void> {
    const { clock, limiter } = this.#parts
    const { limit } = limiter.state
    const rate = limit === false ? UNLIMITED_RATE : limit / 2
    const ms = (requests * 1000) / rate
    if (clock.mode === 'virtual') await clock.advance(ms)
    else await clock.sleep(ms)
  }

  #show(state: ShopState | null): void {
    this.#state = state
    this.#parts.changes.notify()
  }
}
