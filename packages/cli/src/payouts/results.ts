import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import * as z from '../../../../src/profile/zod-library.js'
import { contentOf, type LineRecord } from './line-record.js'

const text = z.string()
const maybe = z.optional(text)

const run = { run: text, pid: z.int(), host: text, at: text }

const outcome = {
  state: z.enum([
    /** The gateway was asked, and certainly has not got it. */
    'unsent',
    /** The gateway has it, and it is not final. */
    'accepted',
    'paid',
    'failed',
    'refused',
    'look',
    'conflict',
  ]),
  /** The gateway's own word. */
  status: maybe,
  reason: maybe,
  /** Decimal text in the currency's main unit. */
  fee: maybe,
  feeCurrencyCode: maybe,
  createdAt: maybe,
  processedAt: maybe,
  /** The gateway's own reference, where it shows one. */
  reference: maybe,
}

const record = { line: z.int(), amount: text, currencyCode: text, method: text, payee: maybe }

/** What the results file says, one line of JSON for each. No account and no name is in it. */
const entrySchema = z.union([
  z.object({ event: z.literal('outcome'), idPayout: text, at: text, ...outcome }),
  /** Written before the gateway is asked for the first time: after a crash the payout may have been sent. */
  z.object({ event: z.literal('started'), idPayout: text, at: text, ...record }),
  z.object({ event: z.literal('begun'), version: z.literal(2), salt: text, at: text }),
  /** A process works on the file from here on. */
  z.object({ event: z.literal('run'), ...run }),
  /** It does so no more. */
  z.object({ event: z.literal('left'), run: text }),
  /** Somebody said yes to these lines; `again` when some of them are second payouts of what was sent before. */
  z.object({ event: z.literal('agreed'), lines: text, again: z.boolean(), at: text }),
])

export type Entry = Readonly<z.infer<typeof entrySchema>>

/** A process that works on a file. */
export type Run = Readonly<z.infer<z.ZodMiniObject<typeof run>>>

/** The result of a payout so far. */
export type Outcome = Readonly<z.infer<z.ZodMiniObject<typeof outcome>>>

/** What is known of one payout. */
export interface Known {
  readonly record: LineRecord
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
      const content = contentOf(known.record)
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
        const { event: _, idPayout, at, ...record } = entry
        this.#known.set(idPayout, { record, firstSentAt: at, run: this.#runAt })
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
export function entryOf(line: string): Entry | undefined {
  return z.safeParse(entrySchema, jsonOf(line)).data
}

/** Whether a line begins a file in the form of another version of this program. */
export function isOfOtherVersion(line: string): boolean {
  const read = jsonOf(line)
  return isObject(read) && read.event === 'begun' && read.version !== 2
}
