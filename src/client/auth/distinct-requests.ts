/** What varies in token requests, so that no two of them are equal. */
export interface Varied {
  readonly validitySecs: number
  /** In the unit that the gateway was found to take. */
  readonly timestamp: number
}

export interface Written extends Varied {
  readonly body: string
}

/** By how much a validity may be shortened, in seconds: a tenth of it and a minute at most, and never to nothing. */
export function spreadOf(validitySecs: number): number {
  return Math.max(0, Math.min(60, Math.ceil(validitySecs / 10), validitySecs - 1))
}

/**
 * In which order the validity and the time of a request may be varied. Only ever less than was asked for:
 * first the validity, from `first` (0 to 1) of its spread on and around; then the time, by units of its
 * own into the past, which is what a slow network would do to it.
 */
export function* variants({ validitySecs, timestamp }: Varied, first: number): Generator<Varied> {
  const spread = spreadOf(validitySecs)
  const start = Math.min(spread, Math.floor(first * (spread + 1)))
  for (let back = 0; back <= mostBack; back++) {
    for (let n = 0; n <= spread; n++) {
      const less = (start + n) % (spread + 1)
      yield { validitySecs: validitySecs - less, timestamp: timestamp - back }
    }
  }
}

const mostBack = 60
/** Longer than any variant reaches into the past. */
const rememberedMs = 70_000

/**
 * The token requests of the last seconds. Equal ones carry equal signatures, and a gateway that takes the
 * signature for a protection against replays (specification, section 5.3) would refuse the second.
 */
export class DistinctRequests {
  readonly #sentAt = new Map<string, number>()

  /** The first way to write a request that was not sent lately; the last one where all of them were. */
  pick(wanted: Varied, first: number, bodyOf: (varied: Varied) => string, nowMs: number): Written {
    this.#forget(nowMs)
    let picked: Written | undefined
    for (const varied of variants(wanted, first)) {
      picked = { ...varied, body: bodyOf(varied) }
      if (!this.#sentAt.has(picked.body)) break
    }
    picked ??= { ...wanted, body: bodyOf(wanted) }
    this.#sentAt.set(picked.body, nowMs)
    return picked
  }

  #forget(nowMs: number): void {
    for (const [body, sentAt] of this.#sentAt) {
      // A clock that was turned back forgets too.
      if (Math.abs(nowMs - sentAt) <= rememberedMs) return
      this.#sentAt.delete(body)
    }
  }
}
