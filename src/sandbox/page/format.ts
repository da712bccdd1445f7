const counts = new Intl.NumberFormat('en')

/** With as many decimals as the currency has, or more where the amount has more. */
export function amount(value: number, currencyCode?: string): string {
  const minimumFractionDigits = currencyCode === undefined ? 0 : decimals(currencyCode)
  return value.toLocaleString('en', { minimumFractionDigits, maximumFractionDigits: 10 })
}

function decimals(currency: string): number {
  try {
    const { maximumFractionDigits = 0 } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions()
    return maximumFractionDigits
  } catch {
    // Three letters that are no currency code: the gateway of a test takes them.
    return 0
  }
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${counts.format(value)} ${value === 1 ? one : many}`
}

/** The time of day, in the reader's own zone; the date before it when it is not today. */
export function time(ms: number, now = Date.now()): string {
  const date = new Date(ms)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday ? date.toLocaleTimeString('en-GB') : `${isoDate(date)} ${date.toLocaleTimeString('en-GB')}`
}

export function dateTime(ms: number): string {
  const date = new Date(ms)
  return `${isoDate(date)} ${date.toLocaleTimeString('en-GB')}`
}

function isoDate(date: Date): string {
  return date.toLocaleDateString('sv-SE')
}

/** How long after something: `+0 ms`, `+1.25 s`, `+3 min 20 s`, `+1 d 2 h`. */
export function after(ms: number): string {
  const sign = ms < 0 ? '−' : '+'
  const span = Math.abs(ms)
  if (span < 1000) return `${sign}${Math.round(span)} ms`
  if (span < 60_000) return `${sign}${(span / 1000).toFixed(2).replace(/\.?0+$/, '')} s`
  const seconds = Math.round(span / 1000)
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(minutes / 60)
  return `${sign}${Math.floor(hours / 24)} d ${hours % 24} h`
}
