/** What a 429 holds back: everybody for a while, and after that all but one request, until that one is answered. */
export class Pause {
  #until = 0
  #beganAt = Number.NEGATIVE_INFINITY
  /** There from a 429 until the first request after its pause is answered; when that was permitted, if it was. */
  #first: { permittedAt?: number } | undefined

  /** For how long nobody gets a permit, in milliseconds. */
  get remainingMs(): number {
    return Math.max(0, this.#until - performance.now())
  }

  /** For how long nobody may be permitted to send: the pause, or the first request after it. */
  get holdMs(): number {
    const { remainingMs } = this
    if (remainingMs > 0 || this.#first?.permittedAt === undefined) return remainingMs
    return Math.max(0, this.#first.permittedAt + mostAloneMs - performance.now())
  }

  /** Nobody is permitted for so long. @returns whether that is longer than before. */
  begin(ms: number): boolean {
    const now = performance.now()
    if (now + ms <= this.#until) return false
    this.#until = now + ms
    this.#beganAt = now
    return true
  }

  refused(): void {
    this.#first = {}
  }

  permitted(now: number): void {
    if (this.#first !== undefined) this.#first.permittedAt = now
  }

  /** A request that went out then was answered by something else. @returns whether that ends the wait for it. */
  answered(sentAt: number): boolean {
    const permittedAt = this.#first?.permittedAt
    if (permittedAt === undefined || sentAt < permittedAt) return false
    this.#first = undefined
    return true
  }

  /** Whether a permit of that time is too old: everybody has been told to wait since. */
  overtook(permittedAt: number): boolean {
    return permittedAt < this.#beganAt
  }
}

/** How long the first request after a 429 goes alone, while it has no response. */
const mostAloneMs = 1000
