import type { CallbackEntry, RequestEntry } from '../../api/payments/entries.js'

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
