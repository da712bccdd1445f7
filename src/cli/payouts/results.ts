import { jsonOf } from '../../client/input/json-of.js'
import { isObject } from '../../client/input/own.js'
import type { StopReason } from '../../payouts/job/index.js'
import { type Asked, contentOf } from './asked.js'

/** What the results file says, one line of JSON for each. No account and no name is in it. */
export type Entry =
  | { readonly event: 'begun'; readonly version: 2; readonly salt: string; readonly at: string }
  /** A process works on the file from here on. */
  | ({ readonly event: 'run' } & Run)
  /** It does so no more. */
  | { readonly event: 'left'; readonly run: string }
  /** Somebody said yes to these lines; `again` when some of them are second payouts of what was sent before. */
  | { readonly event: 'agreed'; readonly lines: string; readonly again: boolean; readonly at: string }
  /** Written before the gateway is asked for the first time: after a crash the payout may have been sent. */
  | ({ readonly event: 'started'; readonly idPayout: string; readonly at: string } & Asked)
  | ({ readonly event: 'outcome'; readonly idPayout: string; readonly at: string } & Outcome)

/** A process that works on a file. */
export interface Run {
  readonly run: string
  readonly pid: number
  readonly host: string
  readonly at: string
}

/** What came of a payout so far. */
export interface Outcome {
  readonly state:
    | 'unsent' /** The gateway was asked, and certainly has not got it. */
    | 'accepted' /** The gateway has it, and it is not final. */
    | 'paid'
    | 'failed'
    | StopReason
  /** The gateway's own word. */
  readonly status?: string | undefined
  readonly reason?: string | undefined
  /** Decimal text in the currency's main unit. */
  readonly fee?: string | undefined
  readonly feeCurrencyCode?: string | undefined
  readonly createdAt?: string | undefined
  readonly processedAt?: string | undefined
  /** The gateway's own reference, where it shows one. */
  readonly reference?: string | undefined
}

/** What is known of one payout. */
export interface Known {
  readonly asked: Asked
  /** When it was to be sent first, and by the run that began when. */
  readonly firstSentAt: string
  readonly run?: string | undefined
  readonly outcome?: Outcome | undefined
}

/** Where the answers to a file are kept: beside it. */
export function resultsPath(path: string): string {
  return `${path}.results.ndjson`
}

/** Whether the gateway can have the payout. */
export function mayBeSent({ outcome }: Known): boolean {
  return outcome?.state !== 'unsent' && outcome?.state !== 'refused'
}

/** All that a results file says. */
export class Results {
  readonly salt: string
  readonly #known = new Map<string, Known>()
  readonly #runs = new Map<string, Run>()
  #runAt: string | undefined
  #agreed: { readonly lines: string; readonly again: boolean } | undefined

  constructor(salt: string) {
    this.salt = salt
  }

  get(idPayout: string): Known | undefined {
    return this.#known.get(idPayout)
  }

  /** Every payout that a run has announced, in that order. */
  get all(): ReadonlyMap<string, Known> {
    return this.#known
  }

  /** The runs that have not said that they ended, the earliest first. */
  get runs(): readonly Run[] {
    return [...this.#runs.values()]
  }

  /** What somebody said yes to, the last time that somebody was asked. */
  get agreed() {
    return this.#agreed
  }

  /** The ids of what may have been sent and is in the file no more, by what was asked for. */
  withoutLine(ids: ReadonlySet<string>): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const [idPayout, known] of this.#known) {
      if (ids.has(idPayout) || !mayBeSent(known)) continue
      const content = contentOf(known.asked)
      const others = found.get(content)
      if (others === undefined) found.set(content, [idPayout])
      else others.push(idPayout)
    }
    return found
  }

  /** A line that says nothing new is no mistake: two runs may have asked for the same payout. */
  add(entry: Entry): void {
    switch (entry.event) {
      case 'begun':
        return
      case 'run':
        this.#runs.set(entry.run, entry)
        this.#runAt = entry.at
        return
      case 'left':
        this.#runs.delete(entry.run)
        return
      case 'agreed':
        this.#agreed = entry
        return
      case 'started': {
        const { event: _, idPayout, at, ...asked } = entry
        this.#known.set(idPayout, { asked, firstSentAt: at, run: this.#runAt })
        return
      }
      case 'outcome': {
        const { event: _, idPayout, at: __, ...outcome } = entry
        const known = this.#known.get(idPayout)
        if (known !== undefined) this.#known.set(idPayout, { ...known, outcome })
      }
    }
  }
}

/** What a line of the file says; undefined when it says nothing that was written here. */
export function entryOf(text: string): Entry | undefined {
  const read = jsonOf(text)
  const entry = isObject(read) ? inThisVersion(read) : undefined
  return isEntry(entry) ? entry : undefined
}

/** Version 0.2 had two events for an outcome, counted starts, and knew by sums what was agreed to. */
function inThisVersion(read: Record<string, unknown>): unknown {
  const { event, version, state, result, at, idPayout, status, reason } = read
  if (event === 'begun' && version === 1) return { ...read, version: 2 }
  if (event === 'agreed' && Array.isArray(read.totals)) return { event, lines: '', again: false, at }
  if (event === 'ended') return { event: 'outcome', idPayout, at, state: result, status, reason }
  if (event !== 'state' || !isObject(state)) return read
  if (state.sent === 'accepted' && state.step === 'follow') {
    return { event: 'outcome', idPayout, at, state: 'accepted' }
  }
  // Of an answer that was nobody's, nothing is said here; it was started and may be there.
  return state.sent === 'no'
    ? { event: 'outcome', idPayout, at, state: 'unsent' }
    : { event: 'left', run: '' }
}

const outcomes: ReadonlySet<unknown> = new Set([
  'unsent',
  'accepted',
  'paid',
  'failed',
  'refused',
  'look',
  'conflict',
] satisfies Outcome['state'][])

const texts: Readonly<Record<Entry['event'], readonly string[]>> = {
  begun: ['salt', 'at'],
  run: ['run', 'host', 'at'],
  left: ['run'],
  agreed: ['lines', 'at'],
  started: ['idPayout', 'amount', 'currencyCode', 'method', 'at'],
  outcome: ['idPayout', 'at'],
}

/** As far as a mix-up goes: the file is this program's own. */
function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false
  const needed = Object.entries(texts).find(([event]) => event === value.event)?.[1]
  if (needed === undefined || !needed.every((name) => typeof value[name] === 'string')) return false
  if (value.event === 'begun') return value.version === 2
  if (value.event === 'run') return Number.isSafeInteger(value.pid)
  if (value.event === 'agreed') return typeof value.again === 'boolean'
  if (value.event === 'outcome') return outcomes.has(value.state)
  return value.event !== 'started' || Number.isSafeInteger(value.line)
}
