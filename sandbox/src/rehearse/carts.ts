import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { Kind } from './gateway.js'

/** How many payments of each kind. */
export type Counts = Readonly<Record<Kind, number>>

/** A cart that was played: what it should have got, and what it has got until now. */
interface PlayedCart {
  readonly expected: Counts
  readonly found: Record<Kind, number>
}

/** Shorter numbers stand in amounts and random ids by chance. */
const longNumbers = /\d{6,}/g

/**
 * The carts of one rehearsal. An outbox may send the first create of an earlier cart late, when another cart is
 * played. The create shows whose it is where creates carry the number of the cart. Where they don't, nobody can tell,
 * as long as an earlier cart still misses a payment.
 */
export class Carts {
  readonly #played = new Map<number, PlayedCart>()
  /** Payments that may have been late ones of earlier carts. */
  readonly #perhapsLate: Record<Kind, number> = { payin: 0, payout: 0 }
  readonly #surplus = new Set<number>()
  /** Whether creates carry the number of their cart. */
  areNamed = false

  /** The cart that a create names: this one, or an earlier one; undefined when it names none. */
  namedBy(create: SandboxRequest, cart: number): number | undefined {
    if (!this.areNamed) return undefined
    const named = numbersIn(create)
    return named.find((one) => one === cart) ?? named.find((one) => this.#played.has(one))
  }

  /** A cart that was played to its end. */
  close(cart: number, expected: Counts, found: Counts): void {
    this.#played.set(cart, { expected, found: { ...found } })
  }

  /** A payment of an earlier cart that came late. */
  addLate(kind: Kind, cart: number): void {
    const played = this.#played.get(cart)
    if (played === undefined) return
    played.found[kind] += 1
    if (played.found[kind] > played.expected[kind]) this.#surplus.add(cart)
  }

  /** Payments of which nobody can tell whether they are late ones of earlier carts. */
  addPerhapsLate(kind: Kind, count: number): void {
    this.#perhapsLate[kind] += count
  }

  /** Earlier carts that got more than they should when they had been judged; each is told once. */
  takeSurplus(): number[] {
    const carts = [...this.#surplus]
    this.#surplus.clear()
    return carts
  }

  /** How many payments may still come for earlier carts. */
  get missing(): Counts {
    return { payin: this.#missing('payin'), payout: this.#missing('payout') }
  }

  #missing(kind: Kind): number {
    let missing = -this.#perhapsLate[kind]
    for (const { expected, found } of this.#played.values()) {
      missing += Math.max(0, expected[kind] - found[kind])
    }
    return Math.max(0, missing)
  }
}

/** Whether a create carries the number of this cart. */
export function carriesNumber(create: SandboxRequest, cart: number): boolean {
  return numbersIn(create).includes(cart)
}

function numbersIn({ path, bodyText }: SandboxRequest): number[] {
  return [...`${path} ${bodyText}`.matchAll(longNumbers)].map(([digits]) => Number(digits))
}
