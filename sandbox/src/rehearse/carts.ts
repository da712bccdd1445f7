import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { Kind } from './gateway.js'

/** How many carts are prepared or played side by side. */
export const WIDTH = 8

/** How many payments of each kind. */
export type Counts = Readonly<Record<Kind, number>>

/** A cart that was played: what it should have got, and the ids of what it has got until now. */
interface PlayedCart {
  readonly expected: Counts
  readonly found: Readonly<Record<Kind, Set<string>>>
}

/** Shorter numbers stand in amounts and random ids by chance. */
const longNumbers = /\d{6,}/g

/** What a request shows of its cart. */
export type Named = Pick<SandboxRequest, 'path' | 'bodyText'>

/**
 * The carts of one rehearsal. Where creates carry the number of their cart, several are played side by side. An outbox may send the first create of an earlier cart late, when another cart is
 * played. The create shows whose it is where creates carry the number of the cart. Where they don't, nobody can tell,
 * as long as an earlier cart still misses a payment.
 */
export class Carts {
  readonly #played = new Map<number, PlayedCart>()
  /** Payments that may have been late ones of earlier carts. */
  readonly #perhapsLate: Record<Kind, number> = { payin: 0, payout: 0 }
  readonly #surplus = new Set<number>()
  readonly #open = new Set<number>()
  /** Whether creates carry the number of their cart. */
  areNamed = false

  /** The cart that a request names: this one, another that is played now, or an earlier one; undefined for none. */
  namedBy(request: Named, cart: number): number | undefined {
    if (!this.areNamed) return undefined
    const named = numbersIn(request)
    return (
      named.find((one) => one === cart) ?? named.find((one) => this.#played.has(one) || this.#open.has(one))
    )
  }

  /** A cart that begins. */
  open(cart: number): void {
    this.#open.add(cart)
  }

  /** Whether others are played at the same time. */
  get areSeveral(): boolean {
    return this.#open.size > 1
  }

  /** A cart that was played to its end. */
  close(cart: number, expected: Counts, found: Readonly<Record<Kind, readonly string[]>>): void {
    this.#open.delete(cart)
    this.#played.set(cart, {
      expected,
      found: { payin: new Set(found.payin), payout: new Set(found.payout) },
    })
  }

  /** A payment of an earlier cart that came late. */
  addLate(kind: Kind, cart: number, id: string): void {
    const played = this.#played.get(cart)
    if (played === undefined || played.found[kind].has(id)) return
    played.found[kind].add(id)
    if (played.found[kind].size > played.expected[kind]) this.#surplus.add(cart)
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
      missing += Math.max(0, expected[kind] - found[kind].size)
    }
    return Math.max(0, missing)
  }
}

/** Whether a create carries the number of this cart. */
export function carriesNumber(create: Named, cart: number): boolean {
  return numbersIn(create).includes(cart)
}

function numbersIn({ path, bodyText }: Named): number[] {
  return [...`${path} ${bodyText}`.matchAll(longNumbers)].map(([digits]) => Number(digits))
}
