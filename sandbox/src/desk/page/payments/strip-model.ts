import type { CallbackEntry, Entry, RequestEntry } from '../../control/payments/entries.js'
import { span } from '../../control/text/span.js'
import { callbackTone, requestTone, type Tone } from '../parts/tones.js'

/** How long the payment had a status. Places are from 0, the beginning of the strip, to 1. */
export interface Phase {
  readonly status: string
  readonly from: number
  readonly to: number
  readonly lastsMs: number
}

/** Requests or callbacks that are too close together to be shown one by one. */
export interface Mark {
  readonly from: number
  readonly to: number
  readonly tone: Tone
  readonly label: string
  readonly count: number
}

/** A history on an axis of time, true to scale. */
export interface Strip {
  readonly phases: readonly Phase[]
  readonly requests: readonly Mark[]
  readonly callbacks: readonly Mark[]
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  /** The same in words. */
  readonly words: string
}

/** Nearer than this part of the whole, marks become one. */
const NEAR = 0.012
const MOST_TICKS = 5
const worst: readonly Tone[] = ['bad', 'lost', 'waiting', 'calm', 'good']

/** The strip of a history; undefined where nothing takes time, as on a virtual clock that stands still. */
export function stripOf(entries: readonly Entry[]): Strip | undefined {
  // The token may be much older than the payment, and would squeeze all the rest.
  const shown = entries.filter((entry) => entry.type !== 'request' || entry.signature === null)
  const begin = Math.min(...shown.map(({ at }) => at))
  const end = Math.max(...shown.map(endOf))
  const wholeMs = end - begin
  if (!(wholeMs >= 1)) return undefined
  const place = (at: number) => (at - begin) / wholeMs
  const statuses = shown.filter((entry) => entry.type === 'status')
  const phases = statuses.map(({ status, at }, index): Phase => {
    const until = statuses[index + 1]?.at ?? end
    return { status, from: place(at), to: place(until), lastsMs: until - at }
  })
  const requests = shown.filter((entry) => entry.type === 'request')
  const callbacks = shown.filter((entry) => entry.type === 'callback')
  return {
    phases,
    requests: marks(requests, place, requestTone, requestLabel),
    callbacks: marks(callbacks, place, callbackTone, callbackLabel),
    ticks: ticksOf(wholeMs),
    words: wordsOf(wholeMs, phases, requests.length, callbacks.length),
  }
}

function endOf(entry: Entry): number {
  return entry.type === 'request' ? entry.at + (entry.tookMs ?? 0) : entry.at
}

function marks<T extends Entry>(
  entries: readonly T[],
  place: (at: number) => number,
  toneOf: (entry: T) => Tone,
  labelOf: (entry: T) => string,
): Mark[] {
  const found: Mark[] = []
  for (const entry of entries) {
    const mark = {
      from: place(entry.at),
      to: place(endOf(entry)),
      tone: toneOf(entry),
      label: labelOf(entry),
    }
    const before = found.at(-1)
    if (before !== undefined && mark.from - before.to < NEAR) found[found.length - 1] = joined(before, mark)
    else found.push({ ...mark, count: 1 })
  }
  return found
}

function joined(a: Mark, b: Omit<Mark, 'count'>): Mark {
  const tone = worst.find((one) => one === a.tone || one === b.tone) ?? 'good'
  const count = a.count + 1
  const label = count > 3 ? a.label : `${a.label}\n${b.label}`
  return { from: a.from, to: Math.max(a.to, b.to), tone, count, label }
}

function requestLabel({ method, path, status, arrival }: RequestEntry): string {
  return `${method} ${path}: ${arrival === 'whole' ? status : 'no answer arrived'}`
}

function callbackLabel({ paymentStatus, answer }: CallbackEntry): string {
  return `Callback for ${paymentStatus}: ${answer ?? 'no answer'}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000]
const longSteps = [1, 2, 5, 10, 20, 30].map((n) => n * MINUTE)
const longestSteps = [1, 2, 4, 8, 12].map((n) => n * HOUR)

/** At most six, at round times. */
function ticksOf(wholeMs: number): Strip['ticks'] {
  const days = Math.max(1, Math.ceil(wholeMs / MOST_TICKS / DAY)) * DAY
  const step = [...steps, ...longSteps, ...longestSteps].find((ms) => wholeMs / ms <= MOST_TICKS) ?? days
  const count = Math.floor(wholeMs / step) + 1
  return Array.from({ length: count }, (_, index) => ({
    at: (index * step) / wholeMs,
    label: index === 0 ? '0' : span(index * step),
  }))
}

function wordsOf(wholeMs: number, phases: readonly Phase[], requests: number, callbacks: number): string {
  const times = phases.map(({ status, lastsMs }, index) => {
    return index === phases.length - 1 ? `then ${status}` : `${status} for ${span(lastsMs)}`
  })
  const marked = `${requests} ${requests === 1 ? 'request' : 'requests'} and ${callbacks} ${callbacks === 1 ? 'callback' : 'callbacks'}`
  return `The history to scale, ${span(wholeMs)} in all: ${times.join(', ')}; ${marked}.`
}
