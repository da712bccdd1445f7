import { textsIn } from './texts-in.js'

/** The bodies of the responses to the status requests of one payment, one after the other. */
export type StatusBodies = readonly unknown[]

/** How one payment shows where it stands. */
export interface DeliveredStatuses {
  /** Where its status stands, with dots for depth; absent where no text looks like one. */
  readonly statusField?: string
  /** Where the time of its end stands; absent where none was seen. */
  readonly processedAtField?: string
  /** Each status that was seen, and whether the payment has ended with it. */
  readonly statuses: Readonly<Record<string, 'final' | 'passing'>>
}

/** Texts of a body by their places. */
type Texts = ReadonlyMap<string, string>

const specified = { status: 'process.status', processedAt: 'process.processedAt' } as const

/** Where a payment's status and the time of its end stand, and which statuses it went through. */
export function statusesOf(bodies: StatusBodies): DeliveredStatuses {
  const seen = bodies.map((body) => new Map(textsIn(body)))
  const statusField = statusPlace(seen)
  if (statusField === undefined) return { statuses: {} }
  const processedAt = timePlace(seen)
  const statuses = new Map<string, 'final' | 'passing'>()
  for (const texts of seen) {
    const status = texts.get(statusField)
    if (status === undefined || !isWord(status)) continue
    // The last one is what counts: a status may come twice.
    const isEnd = status === 'SUCCESS' || (processedAt !== undefined && isEnded(texts, processedAt))
    statuses.set(status, isEnd && texts === seen.at(-1) ? 'final' : 'passing')
  }
  return {
    statusField,
    ...(processedAt === undefined ? {} : { processedAtField: processedAt }),
    statuses: Object.fromEntries(statuses),
  }
}

/** Some gateways write both times when they accept a payment. */
function isEnded(texts: Texts, processedAt: string): boolean {
  const time = texts.get(processedAt)
  return time !== undefined && time !== texts.get(processedAt.replace(/[^.]*$/, 'createdAt'))
}

/** Whether the last body shows that the payment has ended, by what those before it showed. */
export function isAtEnd(bodies: StatusBodies): boolean {
  return Object.values(statusesOf(bodies).statuses).includes('final')
}

/** A word, and no name of somebody: those have two words with small letters. */
function isWord(text: string): boolean {
  return /^(?:[\p{L}_][\p{L}\p{N}_-]{0,63}|\p{Lu}[\p{Lu}\p{N} _-]{0,63})$/u.test(text) && !/\d{4}/.test(text)
}

/** Fields that a customer writes: a name can be SUCCESS, too. */
const customers =
  /(?:^|\.)(?:account|customer|payer|payee|holder)|name$|number$|e-?mail|address|phone|reference$|url$/i

function statusPlace(seen: readonly Texts[]): string | undefined {
  const places = new Set(seen.flatMap((texts) => [...texts.keys()]))
  let best: { place: string; points: number } | undefined
  for (const place of places) {
    if (customers.test(place)) continue
    const values = seen.flatMap((texts) => texts.get(place) ?? [])
    const points = statusPoints(place, values, seen.length)
    if (points > (best?.points ?? 0)) best = { place, points }
  }
  return best?.place
}

/** By how much a place is one of a status. */
function statusPoints(place: string, values: readonly string[], bodies: number): number {
  if (!values.some(isWord)) return 0
  const name = place.split('.').at(-1) ?? ''
  const named = /^(?:status|state)$/i.test(name) ? 8 : /status|state(?!ment)/i.test(name) ? 4 : 0
  const success = values.includes('SUCCESS') ? 8 : 0
  if (named + success === 0) return 0
  const always = values.length === bodies ? 2 : 0
  const changed = new Set(values).size > 1 ? 4 : 0
  return named + success + always + changed + (place === specified.status ? 1 : 0) + 1 / place.length
}

const timeNames =
  /(?:processed|finished|completed|ended|settled|done|closed|final(?:ized|ised)?)(?:_?(?:at|on|time|date))?$/i
const dateForm = /^\d{4}-\d\d-\d\d/

/** The specification's place, or a time that a name calls the end: rather one that was not there from the start. */
function timePlace(seen: readonly Texts[]): string | undefined {
  const last = seen.at(-1) ?? new Map<string, string>()
  const times = [...last].flatMap(([place, value]) => (dateForm.test(value) ? place : []))
  const ends = times.filter((place) => timeNames.test(place))
  if (ends.includes(specified.processedAt)) return specified.processedAt
  return ends.find((place) => seen[0]?.has(place) !== true) ?? ends[0]
}
