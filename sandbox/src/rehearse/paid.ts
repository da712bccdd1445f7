import { jsonOf } from '../../../src/client/input/json-of.js'
import type { CartStatus } from './application.js'

/** What the words of an application's status mean, when nobody says which one to look for. */
const paidWords = new Set([
  'paid',
  'success',
  'succeeded',
  'successful',
  'settled',
  'completed',
  'complete',
  'sent',
  'refunded',
])
const statusNames = new Set(['status', 'state', 'paymentstatus', 'orderstatus', 'payment', 'result'])
const flagNames = new Set(['paid', 'ispaid'])

const MOST_DEPTH = 5

/**
 * What an application's answer says of a cart. With a `word` it says paid when it contains that text. Without,
 * JSON says it by a field such as `status` whose value is paid, success, completed and the like, or by
 * `paid: true`; any other text by the word "paid", unless a "not" stands before it.
 *
 * @param httpStatus anything but 2xx says nothing, and 404 that the cart isn't paid
 */
export function readStatus(httpStatus: number, text: string, word?: string): CartStatus {
  if (httpStatus === 404) return 'not paid'
  if (httpStatus < 200 || httpStatus > 299) return 'nothing'
  if (word !== undefined) return text.includes(word) ? 'paid' : 'not paid'
  const json = jsonOf(text)
  if (json === undefined) return says(text) ? 'paid' : 'not paid'
  const found = statusesIn([json])
  if (found.length === 0) return 'nothing'
  return found.some(Boolean) ? 'paid' : 'not paid'
}

/**
 * For each field that tells of a status, whether it says paid. The outermost count: an order has a status, and its
 * refund has another one further in.
 */
function statusesIn(values: readonly unknown[], depth = 0): boolean[] {
  const texts = depth === 0 ? values.filter((value) => typeof value === 'string') : []
  const fields = values.flatMap((value) => {
    return typeof value === 'object' && value !== null ? Object.entries(value) : []
  })
  const found = fields.flatMap(([name, field]) => {
    const known = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (flagNames.has(known) && typeof field === 'boolean') return [field]
    return statusNames.has(known) && typeof field === 'string' ? [isPaidWord(field)] : []
  })
  const here = [...texts.map(isPaidWord), ...found]
  if (here.length > 0 || fields.length === 0 || depth > MOST_DEPTH) return here
  return statusesIn(
    fields.map(([, field]) => field),
    depth + 1,
  )
}

function isPaidWord(text: string): boolean {
  return paidWords.has(text.toLowerCase())
}

function says(text: string): boolean {
  const before = text.replaceAll(
    /\b(?:not|isn['’]t|never|to be|be|yet|until|when|if)\s+(?:yet\s+)?paid\b/gi,
    '',
  )
  return /\bpaid\b/i.test(before)
}
