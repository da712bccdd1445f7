import { dateTime, field, joined, listIn, moneyText, spanIn, words } from './answers.js'
import { windowLines } from './window.js'

export function paymentLines(listing: unknown): string[] {
  return windowLines(listing, 'payments', paymentLine)
}

function paymentLine(payment: unknown): string {
  const callbacks = words(payment, 'callbacks')
  return joined(
    `${words(payment, 'kind')} ${words(payment, 'id')}`,
    words(payment, 'status'),
    moneyText(payment),
    `created ${dateTime(payment, 'createdAt')}`,
    callbacks === '' || callbacks === 'none' ? '' : `callbacks ${callbacks}`,
  )
}

/** What came of a payment, and step by step how, with times from the first step. */
export function historyLines(history: unknown): string[] {
  const entries = listIn(history, 'entries')
  const began = Number(field(entries[0], 'at') ?? 0)
  const omitted = Number(field(history, 'omitted') ?? 0)
  return [
    paymentLine(field(history, 'payment')),
    words(history, 'sentence'),
    ...entries.map((entry) => {
      const after = `+${Math.round(Number(field(entry, 'at')) - began)} ms`
      return `${after.padStart(10)}  ${words(entry, 'type').padEnd(8)}  ${entryText(entry)}`
    }),
    ...(omitted === 0 ? [] : [`${omitted} steps between them are left out`]),
  ]
}

function entryText(entry: unknown): string {
  const fault = words(entry, 'fault', 'kind')
  const met = fault === '' ? '' : `fault ${fault} by ${words(entry, 'fault', 'by')}`
  switch (words(entry, 'type')) {
    case 'status':
      return joined(words(entry, 'status'), causeOf(entry))
    case 'callback':
      return joined(
        `for ${words(entry, 'paymentStatus')}, try ${words(entry, 'attempt')}`,
        callbackEnd(entry),
        spanIn(entry, 'tookMs'),
        field(entry, 'isGivenUp') === true ? 'given up' : '',
        met,
      )
    default:
      return joined(
        `${words(entry, 'number')} ${words(entry, 'method')} ${words(entry, 'path')}`,
        requestEnd(entry),
        met,
      )
  }
}

/** The page and this program are one hand to the sandbox. */
function causeOf(entry: unknown): string {
  const cause = words(entry, 'cause')
  return cause === 'page' ? 'by hand' : `by ${cause}`
}

function callbackEnd(entry: unknown): string {
  if (field(entry, 'isWithheld') === true) return 'not sent'
  return words(entry, 'answer') || words(entry, 'error') || 'not answered yet'
}

const ends: Readonly<Record<string, string>> = {
  reset: 'the connection was reset',
  cut: 'the answer broke off',
  none: 'never answered',
  left: 'the client had gone',
}

function requestEnd(entry: unknown): string {
  const lost = ends[words(entry, 'arrival')]
  const answer = joined(`${words(entry, 'status')} ${words(entry, 'verdict')}`.trim() || 'not answered yet')
  return lost === undefined ? answer : `${answer}, but ${lost}`
}
