import { CodeText } from './code-text.js'

/** A map, because a status may be any word: "constructor" is none of these. */
const tones: ReadonlyMap<string, string> = new Map([
  ['CREATED', 'created'],
  ['PENDING', 'pending'],
  ['SUCCESS', 'success'],
  ['FAILED', 'failed'],
  ['EXPIRED', 'expired'],
])

/** Shapes that differ, besides the colours and the word. */
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
