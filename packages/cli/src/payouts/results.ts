import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import { CommandFailed } from '../exit-codes.js'
import { readRegularFile, withFile } from '../files.js'
import { isObject, jsonOf } from '../input/values.js'
import type { State } from './states.js'

const text = z.string()
const maybe = z.optional(text)
const version = 3

/** What the results file says, one line of JSON for each. No account and no name is in it. */
const entrySchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('begun'), version: z.literal(version), salt: text, at: text }),
  /** A process works on the file from here on. */
  z.object({ event: z.literal('run'), run: text, pid: z.int(), host: text, at: text }),
  z.object({ event: z.literal('left'), run: text }),
  /** Written before the gateway is asked for the first time: after a crash the payout may have been sent. */
  z.object({
    event: z.literal('started'),
    idPayout: text,
    at: text,
    line: z.int(),
    amount: text,
    currencyCode: text,
    /** A fingerprint of account and method: a change shows, and the account doesn't. */
    method: text,
    /** Whom it goes to, masked. */
    payee: maybe,
  }),
  z.object({
    event: z.literal('outcome'),
    idPayout: text,
    at: text,
    /** `unsent`: the gateway was asked, and certainly has not got it. */
    state: z.enum(['unsent', 'accepted', 'paid', 'failed', 'refused', 'review', 'conflict']),
    status: maybe,
    reason: maybe,
    /** Decimal text in the currency's main unit. */
    fee: maybe,
    feeCurrencyCode: maybe,
    createdAt: maybe,
    processedAt: maybe,
    /** The gateway's own reference, where it shows one. */
    reference: maybe,
  }),
])

export type Entry = Readonly<z.infer<typeof entrySchema>>

export type Run = Extract<Entry, { event: 'run' }>

/** What a line asks for, as far as it may be kept. */
export type LineRecord = Omit<Extract<Entry, { event: 'started' }>, 'event' | 'idPayout' | 'at'>

/** The result of a payout so far. */
export type Outcome = Omit<Extract<Entry, { event: 'outcome' }>, 'event' | 'idPayout' | 'at'>

export interface Known {
  readonly record: LineRecord
  readonly state: State
  /** When it was to be sent, and by the run that began when. */
  readonly sentAt: string
  readonly run?: string | undefined
  readonly outcome?: Outcome | undefined
}

/** Where the results of a file are kept: beside it. */
export function resultsPath(path: string): string {
  return `${path}.results.ndjson`
}

export function begun(salt: string, at: string): Entry {
  return { event: 'begun', version, salt, at }
}

export class Results {
  readonly salt: string
  /** Every payout that a run has announced, in that order. */
  readonly known = new Map<string, Known>()
  /** The runs that have not said that they ended, the earliest first. */
  readonly runs = new Map<string, Run>()
  #runAt: string | undefined

  constructor(salt: string) {
    this.salt = salt
  }

  stateOf(idPayout: string): State {
    return this.known.get(idPayout)?.state ?? 'waiting'
  }

  /** A line that says nothing new is no mistake: two runs may have asked for the same payout. */
  add(entry: Entry): void {
    if (entry.event === 'run') {
      this.runs.set(entry.run, entry)
      this.#runAt = entry.at
    } else if (entry.event === 'left') this.runs.delete(entry.run)
    else if (entry.event === 'started') {
      const { event: _, idPayout, at, ...record } = entry
      this.known.set(idPayout, { record, state: 'unknown', sentAt: at, run: this.#runAt })
    } else if (entry.event === 'outcome') {
      const { event: _, idPayout, at: __, ...outcome } = entry
      const known = this.known.get(idPayout)
      const state = outcome.state === 'unsent' ? 'waiting' : outcome.state
      if (known !== undefined) this.known.set(idPayout, { ...known, state, outcome })
    }
  }
}

/**
 * What a results file says; undefined where there is none, or nothing in it yet. A line that is no JSON was torn by a
 * kill or a full disk and is passed over: what it was to announce has not been sent.
 *
 * @throws for a line that this program has not written, or a file that can't be read ({@link CommandFailed}).
 */
export function readResults(path: string): Results | undefined {
  if (!existsSync(path)) return undefined
  const lines = withFile(path, () => readRegularFile(path).toString('utf8').split('\n'), notSent)
  let results: Results | undefined
  // What stands after the last line break was being written when its process was killed.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const json = jsonOf(line)
    if (json === undefined) continue
    const { data: entry } = z.safeParse(entrySchema, json)
    if (entry?.event === 'begun') results ??= new Results(entry.salt)
    else if (entry === undefined || results === undefined) throw notOurs(path, index + 1, json)
    else results.add(entry)
  }
  return results
}

export const notSent = '; nothing was sent'

function notOurs(path: string, number: number, json: unknown): CommandFailed {
  const isOfOtherVersion = isObject(json) && json.event === 'begun'
  return new CommandFailed(
    isOfOtherVersion
      ? `${path} was written by another version of this program, so nothing was sent; finish this file of payouts with the version that began it, because only the results say which payouts were sent.`
      : `line ${number} of ${path} is not what this program has written there, so nothing was sent; put the file back as it was, because it says which payouts were sent.`,
  )
}
