import type { Sandbox } from '../../packages/sandbox/src/index.js'
import {
  type AcceptedPayin,
  type AcceptedPayout,
  type AnyGatewayError,
  type CallOptions,
  type GatewayClient,
  isGatewayError,
  type Outcome,
  type ReplayedPayin,
  type ReplayedPayout,
} from '../../src/index.js'

/** One payment that a merchant wants. No two have the same amount, so that a second one shows. */
export interface Order {
  readonly number: number
  readonly kind: 'payin' | 'payout'
  /** Without one, the client makes it. */
  readonly id?: string
}

/** What came of one create. */
export interface Ending {
  readonly outcome: Outcome | 'created'
  readonly code: AnyGatewayError['code'] | undefined
  /** Absent only where the error does not tell it. */
  readonly id: string | undefined
}

type Made = AcceptedPayin | ReplayedPayin | AcceptedPayout | ReplayedPayout

/** Longer than any call may take, with all that a machine has to do beside it. */
const patienceMs = 30_000

/** Holds what calls say against the gateway's own record. */
export class Judge {
  readonly #sandbox: Sandbox
  readonly #endings = new Map<Order, Ending>()
  /** What must not be, and was. */
  readonly violations: string[] = []

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Asks for the payment of an order, and holds what is said of it against the record. */
  async create(client: GatewayClient, order: Order, options: CallOptions = {}): Promise<Ending> {
    const call = ask(client, order, options)
    const ending = await within(patienceMs, call.then(created, failed))
    if (typeof ending === 'string') {
      this.#violated(order, ending)
      return { outcome: 'unknown', code: undefined, id: order.id }
    }
    this.#endings.set(order, ending)
    const { outcome, code } = ending
    const isThere = this.#holds(order, ending.id)
    if (ending.id === undefined) this.#violated(order, `the error ${code} does not tell its id`)
    if (order.id !== undefined && ending.id !== order.id) this.#violated(order, 'its id is another one')
    if (outcome === 'created' && !isThere) this.#violated(order, 'it succeeded, and there is no payment')
    if (outcome === 'accepted' && !isThere) this.#violated(order, "it said 'accepted', and there is none")
    if (outcome === 'not-accepted' && isThere)
      this.#violated(order, "it said 'not-accepted', and there is one")
    return ending
  }

  /** When the faults are over: what was said still holds, and the same create with the same id succeeds. */
  async repeat(client: GatewayClient, order: Order): Promise<void> {
    const before = this.#endings.get(order)
    if (before?.id === undefined) return
    const wasThere = this.#holds(order, before.id)
    if (before.outcome === 'not-accepted' && wasThere) {
      this.#violated(order, "it said 'not-accepted', and a payment came later")
    }
    const came = await within(
      patienceMs,
      ask(client, { ...order, id: before.id }, { retries: 4 }).catch((error) => error),
    )
    if (typeof came === 'string') this.#violated(order, came)
    else if (came instanceof Error) this.#violated(order, `the repetition failed: ${came.message}`)
    else if (came.replayed !== wasThere) this.#violated(order, `replayed is ${came.replayed}`)
  }

  /** Each order has one payment, over its own money, and there is no other. */
  end(): void {
    const orders = new Map([...this.#endings].map(([order]) => [keyOf(order.kind, amountOf(order)), order]))
    const paid = new Map<Order, string>()
    for (const { kind, id, money } of [...this.#sandbox.payins.list(), ...this.#sandbox.payouts.list()]) {
      const order = orders.get(keyOf(kind, money.amount))
      if (order === undefined) {
        this.violations.push(`there is a ${kind} that nobody asked for`)
        continue
      }
      if (paid.has(order)) this.#violated(order, 'it was paid twice')
      if (this.#endings.get(order)?.id !== id)
        this.#violated(order, 'it was paid under an id that nobody was told')
      paid.set(order, id)
    }
    for (const order of orders.values()) if (!paid.has(order)) this.#violated(order, 'it has no payment')
  }

  #holds({ kind }: Order, id: string | undefined): boolean {
    const payments = kind === 'payin' ? this.#sandbox.payins : this.#sandbox.payouts
    return id !== undefined && payments.find(id) !== undefined
  }

  #violated({ kind, number }: Order, says: string): void {
    this.violations.push(`${kind} ${number}: ${says}`)
  }
}

function amountOf({ number }: Order): number {
  return 100_000 + number
}

function keyOf(kind: string, amount: number): string {
  return `${kind} ${amount}`
}

function ask(client: GatewayClient, order: Order, options: CallOptions): Promise<Made> {
  const request = {
    paymentRequested: { money: { amount: amountOf(order), currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Novak', accountNumber: `000123-${amountOf(order)}` },
    },
  }
  const { id } = order
  return order.kind === 'payin'
    ? client.payins.create(id === undefined ? request : { idPayin: id, ...request }, options)
    : client.payouts.create(id === undefined ? request : { idPayout: id, ...request }, options)
}

function created(made: Made): Ending {
  return { outcome: 'created', code: undefined, id: idOf(made) }
}

function failed(error: unknown): Ending | string {
  if (!isGatewayError(error)) return `it failed with what is no error of ours: ${String(error)}`
  if (error.outcome === undefined) return `its error ${error.code} has no outcome`
  return { outcome: error.outcome, code: error.code, id: idOf(error) }
}

function idOf(of: { readonly idPayin?: string } | { readonly idPayout?: string }): string | undefined {
  return ('idPayin' in of ? of.idPayin : undefined) ?? ('idPayout' in of ? of.idPayout : undefined)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it had not ended after ${ms} ms`), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
