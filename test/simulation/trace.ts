import { createHash } from 'node:crypto'

/** So many characters are hashed at once: a call of the hash costs more than a line. */
const mostPending = 16_384

/** What happened, line by line; its hash says whether two runs were the same. */
export class Trace {
  readonly #hash = createHash('sha256')
  readonly #keeps: boolean
  readonly lines: string[] = []
  readonly #now: () => number
  #pending = ''

  /** @param keeps whether the lines are kept, which a story needs and a year can't. */
  constructor(now: () => number, keeps: boolean) {
    this.#now = now
    this.#keeps = keeps
  }

  add(who: string, what: string): void {
    const line = `${this.#now().toFixed(3)} ${who} ${what}`
    this.#pending += `${line}\n`
    if (this.#pending.length > mostPending) this.#hashPending()
    if (this.#keeps) this.lines.push(line)
  }

  digest(): string {
    this.#hashPending()
    return this.#hash.digest('hex')
  }

  #hashPending(): void {
    this.#hash.update(this.#pending)
    this.#pending = ''
  }
}
