import { dateTime, field, joined, listIn, spanIn, timeOfDay, words } from './answers.js'
import { windowLines } from './window.js'

/** One line for each request, its number first: `requests` takes it, and `resend`. */
export function requestLines(listing: unknown): string[] {
  return windowLines(listing, 'requests', requestLine)
}

function requestLine(request: unknown): string {
  const fault = words(request, 'fault')
  const besides = joined(spanIn(request, 'tookMs'), fault === '' ? '' : `fault ${fault}`)
  return [
    words(request, 'key').padStart(4),
    timeOfDay(request, 'at'),
    words(request, 'method'),
    words(request, 'path'),
    words(request, 'status') || '---',
    words(request, 'what'),
    besides === '' ? '' : `(${besides})`,
  ]
    .join(' ')
    .trimEnd()
}

/** A request in full. */
export function detailLines(request: unknown): string[] {
  const mend = words(request, 'mend')
  const signature = words(request, 'signature', 'verdict')
  const allows = listIn(request, 'scope', 'allows').map(String)
  return [
    requestLine(request).trimStart(),
    ...(mend === '' ? [] : [`-> ${mend}`]),
    ...(signature === '' ? [] : [`signature: ${joined(signature, words(request, 'signature', 'why'))}`]),
    ...allows.map((line) => `token allows: ${line}`),
    ...messageLines('>', field(request, 'request')),
    ...messageLines('<', field(request, 'answer')),
  ]
}

/** Headers and body, as curl -v shows them. */
function messageLines(mark: string, message: unknown): string[] {
  const headers = listIn(message, 'headers').map((pair) => (Array.isArray(pair) ? pair.join(': ') : ''))
  const body = words(message, 'body')
  const bodyLines = body === '' ? [] : ['', ...body.split('\n')]
  return [...headers, ...bodyLines].map((line) => `${mark} ${line}`.trimEnd())
}

/** One line for each try to deliver a callback. */
export function deliveryLines(listing: unknown): string[] {
  return windowLines(listing, 'callbacks', (row) =>
    joined(
      `${dateTime(row, 'at')} ${words(row, 'kind')} ${words(row, 'id')} for ${words(row, 'paymentStatus')}`,
      `try ${words(row, 'attempt')}`,
      words(row, 'answer') || words(row, 'error') || 'not answered yet',
    ),
  )
}
