import { jsonOf } from '../../../src/client/input/json-of.js'
import type { CountedPayment, Order } from './evidence.js'
import type { HeldPayment, Kind, RehearsalGateway, SeenCallback, SeenRequest } from './gateway.js'

/**
 * What reaches the gateway from now on. Acts run one after another, so that it belongs to the cart of the act, unless
 * its id was sent before: an outbox may create an earlier cart's payment late. Payments of an application's own accord
 * are not told apart.
 */
export class Activity {
  readonly startedAt: number
  readonly #gateway: RehearsalGateway
  readonly #earlier: ReadonlySet<HeldPayment>
  readonly #earlierIds: ReadonlySet<string>
  readonly #lastBefore: SeenRequest | undefined

  constructor(gateway: RehearsalGateway) {
    this.#gateway = gateway
    this.#earlier = new Set([...gateway.payins.list(), ...gateway.payouts.list()])
    this.#earlierIds = new Set(gateway.requests.filter(isCreate).map(nameOf))
    this.#lastBefore = gateway.requests.at(-1)
    this.startedAt = gateway.clock.now()
  }

  get payments(): HeldPayment[] {
    const { payins, payouts } = this.#gateway
    return [...payins.list(), ...payouts.list()].filter(
      (payment) => !this.#earlier.has(payment) && !this.#earlierIds.has(`${payment.kind} ${payment.id}`),
    )
  }

  get requests(): readonly SeenRequest[] {
    const all = this.#gateway.requests
    const before = this.#lastBefore
    return before === undefined ? all : all.slice(all.lastIndexOf(before) + 1)
  }

  get callbacks(): SeenCallback[] {
    const mine = new Set(this.payments.map(({ kind, id }) => `${kind} ${id}`))
    return this.#gateway.callbacks.filter(({ kind, id }) => mine.has(`${kind} ${id}`))
  }

  /** The payments with what their creates asked for. */
  counted(): CountedPayment[] {
    const orders = this.#creates()
    return this.payments.map(({ kind, id, money, status }) => {
      const order = orders.find((one) => one.kind === kind && one.id === id)
      return { kind, id, money, status, account: order?.account }
    })
  }

  /** What the creates asked for, in the order in which they came. */
  orders(): (Order & { readonly kind: Kind })[] {
    return this.#creates().map(({ kind, money, account }) => ({ kind, money, account }))
  }

  #creates() {
    return this.requests.flatMap((request) => {
      const kind: Kind = request.idPayin === undefined ? 'payout' : 'payin'
      const id = request.idPayin ?? request.idPayout
      const isMine = isCreate(request) && !this.#earlierIds.has(nameOf(request))
      const order = isMine ? orderIn(request.bodyText) : undefined
      return order === undefined || id === undefined ? [] : [{ kind, id, ...order }]
    })
  }
}

function isCreate({ method, idPayin, idPayout }: SeenRequest): boolean {
  return method === 'POST' && (idPayin ?? idPayout) !== undefined
}

function nameOf({ idPayin, idPayout }: SeenRequest): string {
  return idPayin === undefined ? `payout ${idPayout}` : `payin ${idPayin}`
}

/** The money and the account of a create (section 2); undefined when they aren't there. */
function orderIn(body: string): Order | undefined {
  const json = jsonOf(body)
  const money = field(field(json, 'paymentRequested'), 'money')
  const amount = field(money, 'amount')
  const currencyCode = field(money, 'currencyCode')
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') return undefined
  const account = field(field(field(json, 'paymentMethod'), 'account'), 'accountNumber')
  return { money: { amount, currencyCode }, account: typeof account === 'string' ? account : undefined }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
