import { jsonOf } from '../../../src/client/input/json.js'
import type { SandboxCallback } from '../gateway/callbacks/delivery-log.js'
import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import { type Carts, carriesNumber, type Named } from './carts.js'
import type { AskedOrder, CountedPayment, Order } from './evidence.js'
import { fieldAt } from './field.js'
import type { Kind, RehearsalGateway } from './gateway.js'

/**
 * What reaches the gateway from now on for one cart. Where one cart is played after another, everything belongs to the
 * cart of the act, unless its id was used for an earlier cart, or its create names an earlier cart: an outbox may create
 * an earlier cart's payment late. Where carts are played side by side, a create belongs to the cart that it names.
 */
export class Activity {
  readonly startedAt: number
  readonly #gateway: RehearsalGateway
  readonly #carts: Carts
  readonly cart: number
  readonly #earlier: ReadonlySet<string>
  readonly #lastBefore: SandboxRequest | undefined
  #hadCompany = false

  constructor(gateway: RehearsalGateway, carts: Carts, cart: number) {
    this.#gateway = gateway
    this.#carts = carts
    this.cart = cart
    const held = [...gateway.payins.list(), ...gateway.payouts.list()].map(keyOf)
    this.#earlier = new Set([...held, ...gateway.requests.filter(isCreate).map(keyOfRequest)])
    this.#lastBefore = gateway.requests.at(-1)
    this.startedAt = gateway.clock.now()
    carts.open(cart)
  }

  /** Whether another cart is, or was, played at the same time. */
  get #hasCompany(): boolean {
    this.#hadCompany ||= this.#carts.areSeveral
    return this.#hadCompany
  }

  get payments(): SandboxPayment[] {
    return this.#paymentsByCart()
      .filter(({ cart }) => cart === this.cart)
      .map(({ payment }) => payment)
  }

  /** Where the customer is sent when the payment is over; undefined where no create says so. */
  get returnUrl(): string | undefined {
    const urls = this.creates.map(({ bodyText }) => fieldAt(jsonOf(bodyText), 'returnUrl'))
    return urls.find((url) => typeof url === 'string')
  }

  get requests(): readonly SandboxRequest[] {
    return this.#hasCompany ? this.#arrived().filter((request) => this.owns(request)) : this.#arrived()
  }

  /** Whether a request is this cart's: it names it, or a payment of it. Of a cart that is played alone, every one is. */
  owns({ path, bodyText }: Named): boolean {
    if (!this.#hasCompany || carriesNumber({ path, bodyText }, this.cart)) return true
    const ids = this.creates.map(({ idPayin, idPayout }) => encodeURIComponent(idPayin ?? idPayout ?? ''))
    return ids.some((id) => path.includes(`/${id}`))
  }

  /** Whose a create is that names no cart; nobody's (0) where it could be another's. */
  get #unnamed(): number {
    return this.#hasCompany ? 0 : this.cart
  }

  #arrived(): readonly SandboxRequest[] {
    const all = this.#gateway.requests
    const before = this.#lastBefore
    return before === undefined ? all : all.slice(all.lastIndexOf(before) + 1)
  }

  get callbacks(): SandboxCallback[] {
    const mine = new Set(this.payments.map(keyOf))
    return this.#gateway.callbacks.filter((callback) => mine.has(keyOf(callback)))
  }

  /** Whether a payment is this cart's. */
  isAbout(payment: { readonly kind: Kind; readonly id: string }): boolean {
    return !this.#hasCompany || this.payments.some((mine) => keyOf(mine) === keyOf(payment))
  }

  /** Whether an earlier cart's create may have come in place of this one's. */
  get mayBeMistaken(): boolean {
    return !this.#hasCompany && this.late().length > 0
  }

  /** The creates of this cart. */
  get creates(): SandboxRequest[] {
    const owners = this.#owners()
    return this.#newCreates().filter((create) => {
      return (owners.get(keyOfRequest(create)) ?? this.#unnamed) === this.cart
    })
  }

  /** The payments with what their creates asked for. */
  counted(): CountedPayment[] {
    const orders = this.orders()
    return this.payments.map(({ kind, id, money, status }) => {
      const order = orders.find((one) => one.kind === kind && one.id === id)
      const mayBeEarlier = order?.mayBeEarlier ?? false
      return { kind, id, money, status, account: order?.account, mayBeEarlier }
    })
  }

  /** What the creates asked for, in the order in which they came. */
  orders(): AskedOrder[] {
    const { creates } = this
    const named = new Set(creates.filter((create) => carriesNumber(create, this.cart)).map(keyOfRequest))
    const { missing } = this.#carts
    return creates.flatMap((create) => {
      const kind: Kind = create.idPayin === undefined ? 'payout' : 'payin'
      const id = create.idPayin ?? create.idPayout
      const order = orderIn(create.bodyText)
      if (order === undefined || id === undefined) return []
      const mayBeEarlier = missing[kind] > 0 && !named.has(keyOfRequest(create))
      return [{ kind, id, ...order, mayBeEarlier }]
    })
  }

  /** Payments of earlier carts that were created for the first time since this cart began. */
  late(): { readonly kind: Kind; readonly cart: number; readonly id: string }[] {
    return this.#paymentsByCart()
      .filter(({ cart }) => cart !== this.cart)
      .map(({ payment, cart }) => ({ kind: payment.kind, cart, id: payment.id }))
  }

  #paymentsByCart(): { readonly payment: SandboxPayment; readonly cart: number }[] {
    const { payins, payouts } = this.#gateway
    const owners = this.#owners()
    const isNew = (payment: SandboxPayment) => !this.#earlier.has(keyOf(payment))
    return [...payins.list(), ...payouts.list()].filter(isNew).map((payment) => {
      return { payment, cart: owners.get(keyOf(payment)) ?? this.#unnamed }
    })
  }

  /** The cart that creates name, by payment: an earlier one only where none of its creates names this one. */
  #owners(): Map<string, number> {
    const owners = new Map<string, number>()
    for (const create of this.#newCreates()) {
      const named = this.#carts.namedBy(create, this.cart)
      const key = keyOfRequest(create)
      if (named !== undefined && owners.get(key) !== this.cart) owners.set(key, named)
    }
    return owners
  }

  #newCreates(): SandboxRequest[] {
    return this.#arrived().filter((request) => isCreate(request) && !this.#earlier.has(keyOfRequest(request)))
  }
}

function isCreate({ method, idPayin, idPayout }: SandboxRequest): boolean {
  return method === 'POST' && (idPayin ?? idPayout) !== undefined
}

function keyOf({ kind, id }: { readonly kind: Kind; readonly id: string }): string {
  return `${kind} ${id}`
}

function keyOfRequest({ idPayin, idPayout }: SandboxRequest): string {
  return idPayin === undefined ? `payout ${idPayout}` : `payin ${idPayin}`
}

/** The money and the account of a create (section 2); undefined when they aren't there. */
function orderIn(body: string): Order | undefined {
  const json = jsonOf(body)
  const amount = fieldAt(json, 'paymentRequested.money.amount')
  const currencyCode = fieldAt(json, 'paymentRequested.money.currencyCode')
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') return undefined
  const account = fieldAt(json, 'paymentMethod.account.accountNumber')
  return { money: { amount, currencyCode }, account: typeof account === 'string' ? account : undefined }
}
