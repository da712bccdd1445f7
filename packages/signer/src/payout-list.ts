import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs'
import { linesOf } from './lines.js'
import { microsOf, moneyText } from './money.js'
import { whyOf } from './refusal.js'

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
    // Opened by its name each time, so that a replaced one is seen.
    const file = openSync(this.#path, flags)
    try {
      this.#refuseOther(fstatSync(file))
      for (const { text, end, isWhole } of linesOf(file, this.#position)) {
        if (!isWhole) break
        const [id = '', amount, currencyCode = '', at = ''] = text.replace(/\r$/, '').split('\t')
        const money = amount === undefined ? undefined : moneyIn(amount, currencyCode)
        if (id !== '') this.#payouts.set(id, { money, at: Date.parse(at) })
        this.#position = end
      }
      return this.#payouts
    } catch (error) {
      throw new Error(`${this.#path} can't be believed: ${whyOf(error)}`)
    } finally {
      closeSync(file)
    }
  }

  #refuseOther(stats: Stats): void {
    if (!stats.isFile()) throw new Error('it is no file')
    if ((stats.mode & 0o022) !== 0) throw new Error('it may be written by others than its owner')
    if (this.#owner !== undefined && stats.uid !== this.#owner)
      throw new Error(`it belongs to user ${stats.uid}, and the policy names user ${this.#owner}`)
    const { dev, ino } = this.#seen ?? stats
    if (stats.dev !== dev || stats.ino !== ino)
      throw new Error('it was replaced, and should only ever be added to')
    if (stats.size < this.#position) throw new Error('it was cut short, and should only ever be added to')
    this.#seen = stats
  }
}

/** As payouts are compared with it; money that can't be read is that of no payout. */
function moneyIn(amount: string, currencyCode: string): string {
  const micros = microsOf(amount)
  return micros === undefined ? 'unreadable' : moneyText(micros, currencyCode)
}
