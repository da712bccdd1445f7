import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { PaymentKind, SandboxPayment } from '../gateway/payments/payment.js'
import type { Sandbox } from '../gateway/sandbox.js'

export const WIDTH = 8

export type Counts = Readonly<Record<PaymentKind, number>>

/** Shorter numbers stand in amounts and random ids by chance. */
const longNumbers = /\d{6,}/g
const NOBODY = 0
const YEAR_SECS = 31_536_000

type Named = Pick<SandboxRequest, 'path' | 'bodyText'>

/**
 * Which order each request and each payment belongs to. A payment is its first create's: of the order whose number that
 * carries, where creates carry numbers, and else of the order whose turn it is. An outbox that sends again what it could
 * not send before uses the id of before.
 */
export class Orders {
  readonly gateway: Sandbox
  areNamed = false
  /** How many payments belong to nobody: they were made without a number in nobody's turn. */
  strays = 0
  readonly #owners = new Map<string, number>()
  readonly #requests = new Map<number, SandboxRequest[]>()
  readonly #borrowers = new Set<number>()
  #missing: Record<PaymentKind, number> = { payin: 0, payout: 0 }
  #newest: SandboxRequest | undefined
  #turn = NOBODY
  readonly #first: number
  #next: number

  /** @param first the number of the first order: by the time, so that an application which keeps its orders meets new ones */
  constructor(gateway: Sandbox, first = firstOrderAt(Date.now())) {
    this.gateway = gateway
    this.#first = first
    this.#next = first
    // What was there before belongs to no order.
    this.#catchUp()
    this.strays = 0
    this.#missing = { payin: 0, payout: 0 }
  }

  take(): number {
    this.#next += 1
    return this.#next - 1
  }

  /** Whatever comes from now on without a known number or id is this order's; nobody's without one. */
  giveTurn(order = NOBODY): void {
    this.#catchUp()
    this.#turn = order
  }

  requestsOf(order: number): readonly SandboxRequest[] {
    this.#catchUp()
    return this.#requests.get(order) ?? []
  }

  paymentsOf(order: number): readonly SandboxPayment[] {
    this.#catchUp()
    const { payins, payouts } = this.gateway
    return [...payins.list(), ...payouts.list()].filter((one) => this.#owners.get(keyOf(one)) === order)
  }

  /** Whether a create of this order had the id of an earlier order's payment. */
  borrows(order: number): boolean {
    this.#catchUp()
    return this.#borrowers.has(order)
  }

  /** An order that was judged: how many payments it still lacks, or has too many. */
  close(lacks: Counts): void {
    this.#missing.payin += lacks.payin
    this.#missing.payout += lacks.payout
  }

  /** How many payments may still come for earlier orders without anybody seeing whose they are. */
  get missing(): Counts {
    this.#catchUp()
    const most = (count: number) => (this.areNamed ? 0 : Math.max(0, count))
    return { payin: most(this.#missing.payin), payout: most(this.#missing.payout) }
  }

  #catchUp(): void {
    const all = this.gateway.requests
    const from = this.#newest === undefined ? 0 : all.lastIndexOf(this.#newest) + 1
    for (const request of all.slice(from)) {
      const owner = this.#ownerOf(request)
      const mine = this.#requests.get(owner)
      if (mine === undefined) this.#requests.set(owner, [request])
      else mine.push(request)
    }
    this.#newest = all.at(-1)
  }

  #ownerOf(request: SandboxRequest): number {
    const payment = paymentOf(request)
    const known = payment && this.#owners.get(keyOf(payment))
    if (known !== undefined) {
      const borrower = request.method === 'POST' ? this.#borrowerOf(request, known) : known
      if (borrower !== known) this.#borrowers.add(borrower)
      return known
    }
    const owner = this.#namedBy(request) ?? this.#turn
    if (payment === undefined || request.method !== 'POST') return owner
    this.#owners.set(keyOf(payment), owner)
    if (owner === NOBODY) {
      this.strays += 1
      // Some order lacks it, and that order's has come.
      this.#missing[payment.kind] -= 1
    }
    return owner
  }

  /** For whom it is sent: a create that carries its payment's own number is sent again for that. */
  #borrowerOf(request: SandboxRequest, owner: number): number {
    return numbersIn(request).includes(owner) ? owner : (this.#namedBy(request) ?? this.#turn)
  }

  #namedBy(request: Named): number | undefined {
    if (!this.areNamed) return undefined
    const numbers = numbersIn(request)
    return numbers.includes(this.#turn)
      ? this.#turn
      : numbers.find((one) => one >= this.#first && one < this.#next)
  }
}

export function carriesNumber(create: Named, order: number): boolean {
  return numbersIn(create).includes(order)
}

export interface PaymentName {
  readonly kind: PaymentKind
  readonly id: string
}

export function keyOf({ kind, id }: PaymentName): string {
  return `${kind} ${id}`
}

export function paymentOf({ idPayin, idPayout }: SandboxRequest): PaymentName | undefined {
  if (idPayin !== undefined) return { kind: 'payin', id: idPayin }
  return idPayout === undefined ? undefined : { kind: 'payout', id: idPayout }
}

function numbersIn({ path, bodyText }: Named): number[] {
  return [...`${path} ${bodyText}`.matchAll(longNumbers)].map(([digits]) => Number(digits))
}

/** Later rehearsals have greater ones, and none is a time in seconds, which a create may carry beside it. */
export function firstOrderAt(nowMs: number): number {
  return Math.floor(nowMs / 1000) - 3 * YEAR_SECS
}
