/** A length of time in words: `0 ms`, `1.25 s`, `3 min 20 s`, `1 d 2 h`. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2).replace(/\.?0+$/, '')} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return parts(seconds, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return parts(minutes, 60, 'h', 'min')
  return parts(Math.round(minutes / 60), 24, 'd', 'h')
}

function parts(value: number, size: number, large: string, small: string): string {
  const rest = value % size
  return `${Math.floor(value / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}
