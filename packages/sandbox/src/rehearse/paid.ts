import { fieldAt, jsonOf } from '../common/json.js'
import type { OrderStatus, ReadStatus } from './application.js'

/** What an application's response contains when an order is paid, as the user says it. */
export interface Marks {
  /**
   * A text, or a field of JSON with its value (`order.state=paid`); in front of it, or alone, the HTTP status that
   * the response has then (`200`, `200 Bezahlt`).
   */
  readonly paid: string
  /** The same for an order that was delivered once: the 1 in it stands for the number. */
  readonly once?: string | undefined
}

/**
 * What an application's response says of an order.
 *
 * @param answer how it was answered, such as `HTTP 200`
 * @param httpStatus anything but 2xx says nothing, and 404 that the order isn't paid, unless a status is named
 */
export function readStatus(answer: string, httpStatus: number, text: string, marks: Marks): ReadStatus {
  const [, code, mark = ''] = /^(?:(\d{3})(?:\s+|$))?(.*)$/s.exec(marks.paid) ?? []
  const isShown = mark === '' || shows(text, mark)
  const { once } = marks
  const delivered = once === undefined ? {} : { delivered: numberAt(text, once) }
  return {
    says: saysOf(httpStatus, code, isShown),
    read: [answer, ...shown(text, mark), ...(once ? [`delivered ${delivered.delivered}`] : [])].join(', '),
    ...delivered,
  }
}

function saysOf(httpStatus: number, code: string | undefined, isShown: boolean): OrderStatus {
  if (code !== undefined && httpStatus < 500) {
    return httpStatus === Number(code) && isShown ? 'paid' : 'not paid'
  }
  if (httpStatus === 404) return 'not paid'
  if (httpStatus < 200 || httpStatus > 299) return 'nothing'
  return isShown ? 'paid' : 'not paid'
}

function shows(text: string, mark: string): boolean {
  const [path, value] = fieldIn(mark)
  return squeezed(text).includes(squeezed(mark)) || (path !== undefined && fieldOf(text, path) === value)
}

/** A short word of the field that is named: the history shows it. A text is not shown, it may be a customer's. */
function shown(text: string, mark: string): string[] {
  const [path] = fieldIn(mark)
  const value = path === undefined ? undefined : fieldOf(text, path)
  return value !== undefined && /^[\w -]{1,30}$/.test(value) ? [`${path} is ${value}`] : []
}

/** The number that stands in the place of the 1; 0 where there is none. A list counts as its length. */
function numberAt(text: string, once: string): number {
  const [path] = fieldIn(once)
  const field = path === undefined ? undefined : fieldOf(text, path)
  if (field !== undefined) return Number.parseInt(field, 10) || 0
  const form = squeezed(once)
  const place = form.lastIndexOf('1')
  const literal = (from: number, to?: number) => form.slice(from, to).replaceAll(/[^\w\s]/g, '\\$&')
  const [, digits] = new RegExp(`${literal(0, place)}(\\d+)${literal(place + 1)}`).exec(squeezed(text)) ?? []
  return Number(digits ?? 0)
}

function fieldIn(mark: string): [path?: string, value?: string] {
  const [, path, value] = /^([\w-]+(?:\.[\w-]+)*)=(.+)$/s.exec(mark) ?? []
  return path === undefined || value === undefined ? [] : [path, value]
}

function fieldOf(text: string, path: string): string | undefined {
  const value = fieldAt(jsonOf(text), path)
  if (Array.isArray(value)) return String(value.length)
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** Some write JSON with blanks and some without. */
function squeezed(text: string): string {
  return text.replaceAll(/(?<=[:,{[])\s+|\s+(?=[\]}:,])/g, '')
}
