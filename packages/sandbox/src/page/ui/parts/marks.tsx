import type { CallbackEntry, RequestEntry } from '../../api/payments/entries.js'
import type { RequestResult, RequestRow } from '../../api/requests/requests.js'

/** A text whose long codes break after `_` where a line ends. */
export function CodeText({ children }: { children: string }) {
  const parts = children.split(/(?<=_)/)
  return <>{parts.map((part, index) => (index === 0 ? part : [<wbr key={index} />, part]))}</>
}

/** A map, because a status may be any word: "constructor" is none of these. */
const tones: ReadonlyMap<string, string> = new Map([
  ['CREATED', 'created'],
  ['PENDING', 'pending'],
  ['SUCCESS', 'success'],
  ['FAILED', 'failed'],
  ['EXPIRED', 'expired'],
])

/** Shapes that differ, besides the colours and the words. */
const shapes: Readonly<Record<string, string>> = {
  created: 'M3 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3.2l2 1.3',
  success: 'M3 8.5l3.5 3.5L13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  expired: 'M4.5 3h7L8 8l3.5 5h-7L8 8z',
  other: 'M8 3v6M8 12v.5',
}

export function StatusChip({ status }: { status: string }) {
  const tone = tones.get(status) ?? 'other'
  return (
    <span class="chip" data-tone={tone}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[tone]} />
      </svg>
      <bdi>
        <CodeText>{status}</CodeText>
      </bdi>
    </span>
  )
}

type RequestTone = RequestResult | 'harmless'

/** The colour of a result: red only where something has to be done. */
export function toneOf({ result, isHarmless }: Pick<RequestRow, 'result' | 'isHarmless'>): RequestTone {
  return isHarmless ? 'harmless' : result
}

const resultShapes: Readonly<Record<RequestTone, string>> = {
  harmless: 'M4 8h8',
  ok: 'M3 8.5l3.5 3.5L13 4.5',
  refused: 'M4 4l8 8M12 4l-8 8',
  failed: 'M8 3v6M8 12v.5',
  unanswered: 'M2 8h2M7 8h2M12 8h2',
}

export function ResultMark({ row }: { row: Pick<RequestRow, 'result' | 'isHarmless' | 'status'> }) {
  const { status } = row
  const result = toneOf(row)
  return (
    <span class="result" data-tone={result}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={resultShapes[result]} />
      </svg>
      {status === null ? <span class="visually-hidden">no response</span> : status}
    </span>
  )
}

export type Tone = 'good' | 'bad' | 'lost' | 'calm' | 'waiting' | 'forced'

export function requestTone({ arrival, status, isHarmless }: RequestEntry): Tone {
  if (arrival === 'waiting') return 'waiting'
  if (arrival !== 'whole') return 'lost'
  if (isHarmless) return 'calm'
  return (status ?? 500) < 400 ? 'good' : 'bad'
}

export function callbackTone({ response, error, isWithheld }: CallbackEntry): Tone {
  if (isWithheld) return 'lost'
  if (response === null && error === null) return 'waiting'
  return response !== null && response >= 200 && response < 300 ? 'good' : 'bad'
}
