import { createHash } from 'node:crypto'

/** What happened, line by line; its hash says whether two runs were the same. */
export class Trace {
  readonly #hash = createHash('sha256')
  readonly #keeps: boolean
  readonly lines: string[] = []
  #now: () => number

  /** @param keeps whether the lines are kept, which a story needs and a year can't. */
  constructor(now: () => number, keeps: boolean) {
    this.#now = now
    this.#keeps = keeps
  }

  add(who: string, what: string): void {
    const line = `${this.#now().toFixed(3)} ${who} ${what}`
    this.#hash.update(`${line}\n`)
    if (this.#keeps) this.lines.push(line)
  }

  digest(): string {
    return this.#hash.digest('hex')
  }
}
