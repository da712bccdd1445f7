import { span } from '../../api/text.js'

export { amountText as amount } from '../../api/text.js'

const counts = new Intl.NumberFormat('en')

export function count(value: number, one: string, many = `${one}s`): string {
  return `${counts.format(value)} ${value === 1 ? one : many}`
}

/** The time of day, in the reader's own zone; the date before it when it is not today. */
export function time(ms: number, now = Date.now()): string {
  const date = new Date(ms)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday ? date.toLocaleTimeString('en-GB') : dateTime(ms)
}

export function dateTime(ms: number): string {
  const date = new Date(ms)
  return `${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`
}

/** How long after something: `+0 ms`, `+1.25 s`, `+3 min 20 s`, `+1 d 2 h`. */
export function after(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${span(Math.abs(ms))}`
}

/** How long a request took; `…` while it is not over. */
export function elapsed(ms: number | null): string {
  if (ms === null) return '…'
  return ms < 1 ? '< 1 ms' : span(ms)
}

export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
