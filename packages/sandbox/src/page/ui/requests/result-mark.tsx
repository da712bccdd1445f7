import type { RequestResult, RequestRow } from '../../api/requests/request-row.js'

type RequestTone = RequestResult | 'harmless'

/** The colour of a result: red only where something has to be done. */
export function toneOf({ result, isHarmless }: Pick<RequestRow, 'result' | 'isHarmless'>): RequestTone {
  return isHarmless ? 'harmless' : result
}

/** Shapes that differ, besides the colours and the number. */
const shapes: Readonly<Record<RequestTone, string>> = {
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
        <path d={shapes[result]} />
      </svg>
      {status === null ? <span class="visually-hidden">no response</span> : status}
    </span>
  )
}
