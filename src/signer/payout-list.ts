import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { microsOf, moneyText } from './money.js'

/** What a line says of a payout beside its id. */
export interface ListedPayout {
  /** Such as `400 EUR`; absent where the line has an id alone. */
  readonly money: string | undefined
  /** When it was written, in milliseconds since 1970; NaN where the line does not say. */
  readonly at: number
}

/** By id, what its last line says. */
export type ListedPayouts = ReadonlyMap<string, ListedPayout>

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * A file of payouts that another user only ever adds lines to: an id, or id, amount and currency with tabs between
 * them, and behind those the time where one is needed.
 */
export class PayoutList {
  readonly #path: string
  readonly #owner: number | undefined
  readonly #payouts = new Map<string, ListedPayout>()
  #position = 0
  #seen: Stats | undefined

  /** @param owner the number of the user whose it must be; anybody's where it is not given. */
  constructor(path: string, owner?: number) {
    this.#path = path
    this.#owner = owner
  }

  /**
   * What is in it, read on from where it was read to. A last line without its end is left for the next time.
   *
   * @throws {Error} saying why the file can't be believed: it is a link, another file, shorter, or writable by others.
   */
  read(): ListedPayouts {
    for (const line of this.#newLines()) {
      const [id = '', amount, currencyCode = '', at = ''] = line.replace(/\r$/, '').split('\t')
      const money = amount === undefined ? undefined : moneyIn(amount, currencyCode)
      if (id !== '') this.#payouts.set(id, { money, at: Date.parse(at) })
    }
    return this.#payouts
  }

  #newLines(): readonly string[] {
    // Opened by its name each time, so that a replaced one is seen. Without a thread in between, which takes longer.
    const file = openSync(this.#path, flags)
    try {
      const stats = fstatSync(file)
      const why = this.#whyNot(stats)
      if (why !== undefined) throw new Error(`${this.#path} ${why}`)
      this.#seen = stats
      const bytes = Buffer.alloc(stats.size - this.#position)
      const length = readSync(file, bytes, 0, bytes.length, this.#position)
      const end = bytes.subarray(0, length).lastIndexOf('\n')
      this.#position += end + 1
      return end === -1 ? [] : bytes.toString('utf8', 0, end).split('\n')
    } finally {
      closeSync(file)
    }
  }

  #whyNot(stats: Stats): string | undefined {
    if (!stats.isFile()) return 'is no file'
    if ((stats.mode & 0o022) !== 0) return 'may be written by others than its owner'
    if (this.#owner !== undefined && stats.uid !== this.#owner)
      return `belongs to user ${stats.uid}, and the policy names user ${this.#owner}`
    const { dev, ino } = this.#seen ?? stats
    if (stats.dev !== dev || stats.ino !== ino) return 'was replaced: it is only ever added to'
    if (stats.size < this.#position) return 'was cut short: it is only ever added to'
    return undefined
  }
}

/** As payouts are compared with it; money that can't be read is that of no payout. */
function moneyIn(amount: string, currencyCode: string): string {
  const micros = microsOf(amount)
  return micros === undefined ? 'unreadable' : moneyText(micros, currencyCode)
}
