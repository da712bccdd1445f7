import { jsonOf } from '../../input/json-of.js'
import { isObject } from '../../input/own.js'
import type { PayoutJobState, StopReason } from '../../jobs/index.js'
import { readState } from '../../jobs/state.js'
import type { CurrencyTotal } from '../../payout-files/payout-file.js'

/** What the results file says, one line of JSON for each. No account and no name is in it. */
export type Entry =
  | { readonly event: 'begun'; readonly version: 1; readonly salt: string; readonly at: string }
  /** Somebody said yes to sending these. */
  | { readonly event: 'agreed'; readonly totals: readonly CurrencyTotal[]; readonly at: string }
  /** Written before the gateway is asked: after a crash it tells that the payout may have been sent. */
  | ({
      readonly event: 'started'
      readonly idPayout: string
      readonly starts: number
      readonly at: string
    } & Asked)
  /** After a run that has settled whether anything was sent: the gateway has the payout, or nothing left. */
  | {
      readonly event: 'state'
      readonly idPayout: string
      readonly state: PayoutJobState
      readonly at: string
    }
  | ({ readonly event: 'ended'; readonly idPayout: string; readonly at: string } & Ending)

/** Where the answers to a file are kept: beside it. */
export function resultsPath(path: string): string {
  return `${path}.results.ndjson`
}

/** What was asked for, as far as it may be kept. */
export interface Asked {
  readonly line: number
  readonly amount: string
  readonly currencyCode: string
  /** The account and the method, as `askedOf` makes them: a change shows, and the account doesn't. */
  readonly method: string
}

/** What a payout came to. */
export interface Ending {
  readonly result: 'paid' | 'failed' | StopReason
  /** The gateway's own word. */
  readonly status?: string | undefined
  readonly reason?: string | undefined
}

/** What is known of one payout. */
export interface Known {
  readonly asked: Asked
  readonly starts: number
  /** What the next run begins with; absent after a run that was lost. */
  readonly state?: PayoutJobState | undefined
  readonly ending?: Ending | undefined
}

/** All that a results file says. */
export class Results {
  readonly salt: string
  readonly #known = new Map<string, Known>()

  #agreed: string | undefined

  constructor(salt: string) {
    this.salt = salt
  }

  get(idPayout: string): Known | undefined {
    return this.#known.get(idPayout)
  }

  ids(): IterableIterator<string> {
    return this.#known.keys()
  }

  /** Whether somebody has said yes to these sums, the last time that somebody was asked. */
  hasAgreed(totals: readonly CurrencyTotal[]): boolean {
    return this.#agreed === JSON.stringify(totals)
  }

  /** A line that says nothing new is no mistake: two runs may have asked for the same payout. */
  add(entry: Entry): void {
    if (entry.event === 'begun') return
    if (entry.event === 'agreed') {
      this.#agreed = JSON.stringify(entry.totals)
      return
    }
    const { idPayout } = entry
    const known = this.#known.get(idPayout)
    if (entry.event === 'started') {
      const { line, amount, currencyCode, method, starts } = entry
      // The state of the run before stays: against the number of starts it tells that one was lost.
      const state = known?.ending === undefined ? known?.state : undefined
      this.#known.set(idPayout, { asked: { line, amount, currencyCode, method }, starts, state })
      return
    }
    if (known === undefined) return
    if (entry.event === 'state') this.#known.set(idPayout, { ...known, state: entry.state })
    else {
      const { result, status, reason } = entry
      this.#known.set(idPayout, { ...known, state: undefined, ending: { result, status, reason } })
    }
  }
}

/** What a line of the file says; undefined when it says nothing that was written here. */
export function entryOf(text: string): Entry | undefined {
  const read = jsonOf(text)
  return isEntry(read) ? read : undefined
}

/** As far as a mix-up goes: the file is this program's own. */
function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false
  const {
    event,
    version,
    salt,
    idPayout,
    starts,
    state,
    result,
    line,
    amount,
    currencyCode,
    method,
    totals,
  } = value
  if (event === 'begun') return version === 1 && typeof salt === 'string'
  if (event === 'agreed') return Array.isArray(totals)
  if (typeof idPayout !== 'string') return false
  if (event === 'state') return readState(state) !== undefined
  if (event === 'ended') return typeof result === 'string'
  return (
    event === 'started' &&
    [starts, line].every(Number.isSafeInteger) &&
    [amount, currencyCode, method].every((one) => typeof one === 'string')
  )
}
