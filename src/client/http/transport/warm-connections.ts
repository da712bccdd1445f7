/**
 * Whether a `fetch` that doesn't tell when it writes is likely to write at once: when it has answered as many
 * requests at a time a moment ago, their connections are there. A request that needs a new connection arrives
 * some time between hand-over and answer, and nobody can say when.
 */
export class WarmConnections {
  #underWay = 0
  /** How many requests were under way together and have been answered. */
  #seen = 0
  #answeredAt = Number.NEGATIVE_INFINITY

  /** A request is handed over. @returns whether a connection is there for it. */
  begin(now: number): boolean {
    this.#underWay++
    if (now - this.#answeredAt > keptMs) this.#seen = 0
    return this.#underWay <= this.#seen
  }

  answered(now: number): void {
    this.#seen = Math.max(this.#seen, this.#underWay)
    this.#answeredAt = now
  }

  /** It has ended. @param usable whether its connection may serve another one. */
  end(usable: boolean): void {
    this.#underWay--
    if (!usable) this.#seen = Math.max(0, this.#seen - 1)
  }
}

/** For how long an idle connection is kept at least, by the servers and runtimes that keep any. */
const keptMs = 2000
