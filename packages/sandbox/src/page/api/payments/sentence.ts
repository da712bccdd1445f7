import { span } from '../text/span.js'
import { sentencesOfCallbacks } from './callback-sentences.js'
import { sentencesOfCreates } from './create-sentences.js'
import type { Entry, PaymentDetails, StatusEntry } from './entries.js'

/** A value of a payment that asks for an outcome, such as `amount 5001`. */
interface Magic {
  readonly by: string
  readonly meaning: string
}

const finals: ReadonlyMap<string, string> = new Map([
  ['FAILED', 'Failed'],
  ['EXPIRED', 'Expired'],
])

/** What came of a payment, in a few sentences: its end, what happened to its creates, whether the merchant heard. */
export function sentenceOf(payment: PaymentDetails, entries: readonly Entry[], magic: Magic | null): string {
  const statuses = entries.filter((entry) => entry.type === 'status')
  const requests = entries.filter((entry) => entry.type === 'request')
  const callbacks = entries.filter((entry) => entry.type === 'callback')
  return [
    endOf(payment, statuses, magic),
    ...sentencesOfCreates(payment, requests),
    ...sentencesOfCallbacks(payment, callbacks),
  ].join(' ')
}

function endOf(
  { kind, status, createdAt, expireAt }: PaymentDetails,
  statuses: readonly StatusEntry[],
  magic: Magic | null,
): string {
  const last = statuses.at(-1)
  if (last === undefined || status === 'CREATED') return 'Accepted; nothing has come of it yet.'
  const paid = statuses.findLast((entry) => entry.status === 'SUCCESS' && entry !== last)
  const done = kind === 'payin' ? 'Paid' : 'Sent'
  const when = (at: number) => after(at - createdAt)
  if (status === 'SUCCESS') return `${done} ${when(last.at)}${by(last, magic)}.`
  if (paid !== undefined)
    return `${done} ${when(paid.at)}, and then ${status} ${when(last.at)}${by(last, magic)}.`
  if (status === 'PENDING') {
    const wish = magic === null ? '' : ` Its ${magic.by} asks for this: ${uncapitalised(magic.meaning)}`
    return last.cause === 'gateway' || last.cause === 'fault'
      ? `Not decided yet: PENDING.${wish}`
      : `PENDING again ${when(last.at)}${by(last, magic)}.`
  }
  const unpaid = status === 'EXPIRED' && last.cause === 'gateway' && expireAt !== null ? ': nobody paid' : ''
  return `${finals.get(status) ?? status} ${when(last.at)}${by(last, magic)}${unpaid}.`
}

function after(ms: number): string {
  return ms < 1 ? 'at once' : `after ${span(ms)}`
}

function by({ cause }: StatusEntry, magic: Magic | null): string {
  if (cause === 'page') return ', settled by hand'
  if (cause === 'code') return ', settled by code'
  return cause === 'magic' && magic !== null ? `, as its ${magic.by} asks` : ''
}

function uncapitalised(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}
