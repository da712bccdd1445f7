import type { SandboxParts } from '../../../gateway/assemble.js'
import type { MagicAmount } from '../../../gateway/faults/magic-amounts.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Mask } from '../mask.js'
import { filled, listed, span } from '../text.js'
import {
  type CallbackEntry,
  callbackEntry,
  type Entry,
  type PaymentDetails,
  paymentDetails,
  type RequestEntry,
  requestEntry,
  type StatusEntry,
  statusEntries,
} from './entries.js'

export type PaymentHistory = ReturnType<typeof historyOf>

const MOST_ENTRIES = 400
/** So many from the beginning are always shown: a reader wants to know how a history began. */
const FIRST_ENTRIES = 100
/** At the same millisecond: a request that changes something, the change, its callback, and a status request. */
const rank = { status: 1, callback: 2 } as const

function rankOf(entry: Entry): number {
  if (entry.type !== 'request') return rank[entry.type]
  return entry.method === 'POST' ? 0 : 3
}

export function historyOf(payment: Payment, parts: SandboxParts, mask: Mask) {
  const { ledger, log, callbacks } = parts
  const found = ledger.magic(payment.request)
  const by = found === undefined ? '' : magicValue(found, payment)
  const magic = found === undefined ? null : { by, meaning: found.meaning }
  const entries: Entry[] = [
    ...log.about(payment.kind, payment.id).map((request) => requestEntry(request, ledger, by, mask)),
    ...statusEntries(payment),
    ...callbacks.deliveriesAbout(payment).map((delivery) => callbackEntry(delivery, by, mask)),
  ]
  entries.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b))
  const shown = paymentDetails(payment, parts, mask)
  return {
    payment: shown,
    magic,
    summary: summaryOf(shown, entries, magic),
    notes: payment.notes,
    ...withoutMiddle(entries),
  }
}

/** How many entries are left out, and before which of the entries they would stand. */
function withoutMiddle(entries: readonly Entry[]) {
  const omitted = Math.max(0, entries.length - MOST_ENTRIES)
  const kept = [...entries.slice(0, FIRST_ENTRIES), ...entries.slice(FIRST_ENTRIES + omitted)]
  return { entries: kept, omitted, omittedAt: FIRST_ENTRIES }
}

function magicValue({ amount, operatorCode }: MagicAmount, { request }: Payment): string {
  const isByOperator = operatorCode === request.paymentOperatorCode
  return isByOperator ? `operator code ${operatorCode}` : `amount ${amount}`
}

interface Magic {
  readonly by: string
  readonly meaning: string
}

const sentences = {
  accepted: 'Accepted; its status has not changed yet.',
  pending: 'Not decided yet: PENDING.',
  pendingByMagic: 'Not decided yet: PENDING. Its {by} asks for this: {meaning}',
  payinPaid: 'Paid {after}{cause}.',
  payoutPaid: 'Sent {after}{cause}.',
  ended: '{status} {after}{cause}.',

  reset: 'The response to the create was lost.',
  cut: 'The response to the create broke off.',
  none: 'The create got no response.',
  left: 'The client left before the response to the create.',
  error: 'The response to the create was {status}, although the payment was accepted.',
  overtaken: 'Another create with this id was faster, and this one got 409.',
  callbackFirst: 'The first callback was delivered before the response to the create.',
  late: 'The response to the create took {took}.',
  found: 'The client found the payment afterwards.',
  notFound: 'No client has asked for the payment since.',
  duplicates: 'Creates sent again with the same content: {count}. Each got 409, and nothing was done twice.',
  conflicts:
    'Creates under this id that asked for something else ({what}): {count}. Each got 409, and the payment stayed as it was.',
  one: 'One {kind}.',

  noUrl: 'It has no callbackUrl, so no callback is sent.',
  waiting: 'A callback waits for its response.',
  delivered: 'Callbacks delivered: {count}.',
  retried: 'The callback for {status} was delivered at attempt {attempt}.',
  retrying: 'The callback for {status} failed at attempt {attempt} ({why}) and is sent again.',
  givenUp:
    'The callback for {status} failed {times} ({why}) and is not sent again: the merchant was not notified.',
  withheld: 'No callback was sent for {status}, because of {by}.',
} as const

type Sentence = readonly [name: keyof typeof sentences, values?: Readonly<Record<string, string | number>>]

type Requests = readonly RequestEntry[]
type Callbacks = readonly CallbackEntry[]

const LATE_MS = 1000

export function summaryOf(payment: PaymentDetails, entries: readonly Entry[], magic: Magic | null): string {
  const statuses = entries.filter((entry) => entry.type === 'status')
  const requests = entries.filter((entry) => entry.type === 'request')
  const callbacks = entries.filter((entry) => entry.type === 'callback')
  const found: Sentence[] = [
    ...ofStatus(payment, statuses, magic),
    ...ofCreates(payment, requests),
    ...ofCallbacks(payment, callbacks),
  ]
  return found.map(([name, values = {}]) => filled(sentences[name], values)).join(' ')
}

function ofStatus(
  payment: PaymentDetails,
  statuses: readonly StatusEntry[],
  magic: Magic | null,
): Sentence[] {
  const { kind, status, createdAt } = payment
  const last = statuses.at(-1)
  if (last === undefined || status === 'CREATED') return [['accepted']]
  const valuesOf = ({ at, status, cause }: StatusEntry) => {
    return { status, after: afterCreate(at - createdAt), cause: causeOf(cause, magic) }
  }
  const paid = statuses.findLast((entry) => entry.status === 'SUCCESS')
  const ofPaid: Sentence[] =
    paid === undefined ? [] : [[kind === 'payin' ? 'payinPaid' : 'payoutPaid', valuesOf(paid)]]
  if (status === 'SUCCESS') return ofPaid
  if (status !== 'PENDING') return [...ofPaid, ['ended', valuesOf(last)]]
  return [...ofPaid, magic === null ? ['pending'] : ['pendingByMagic', { ...magic }]]
}

function afterCreate(ms: number): string {
  return ms < 1 ? 'at once' : `after ${span(ms)}`
}

function causeOf(cause: StatusEntry['cause'], magic: Magic | null): string {
  const byMagic = magic === null ? '' : `, as its ${magic.by} asks`
  return { gateway: '', fault: '', page: ', set by hand', code: ', set by code', magic: byMagic }[cause]
}

function ofCreates({ kind, createdAt }: PaymentDetails, requests: Requests): Sentence[] {
  const creates = requests.filter(({ method, isMint }) => method === 'POST' && !isMint)
  const at = creates.findIndex(({ verdict, fault }) => verdict === 'OK' || fault?.kind === 'overtaken')
  const accepted = creates[at]
  if (accepted === undefined) return []
  const later = creates.slice(at + 1)
  const statusRequests = requests.filter(({ method, at }) => method === 'GET' && at >= createdAt)
  const response = responseOf(accepted)
  const isLost = response !== undefined && !['late', 'callbackFirst'].includes(response[0])
  return [
    ...(response === undefined ? [] : [response]),
    ...(isLost ? [afterLoss(accepted, statusRequests)] : []),
    ...repetitions(later),
    ...(creates.length > 1 || isLost ? [['one', { kind }] as const] : []),
  ]
}

function responseOf({ arrival, status, tookMs, fault }: RequestEntry): Sentence | undefined {
  if (fault?.kind === 'overtaken') return ['overtaken']
  if (arrival !== 'whole') return arrival === 'waiting' ? undefined : [arrival]
  if (status !== null && status >= 400) return ['error', { status }]
  if (fault?.kind === 'callback-first') return ['callbackFirst']
  return tookMs !== null && tookMs >= LATE_MS ? ['late', { took: span(tookMs) }] : undefined
}

function afterLoss({ at }: RequestEntry, statusRequests: Requests): Sentence {
  const isFound = statusRequests.some((one) => one.at >= at && one.arrival === 'whole' && one.status === 200)
  return [isFound ? 'found' : 'notFound']
}

function repetitions(later: Requests): Sentence[] {
  const refused = later.filter(({ verdict }) => verdict === 'ALREADY_ACCEPTED')
  const conflicts = refused.filter(({ differs }) => differs.length > 0)
  const what = listed([...new Set(conflicts.flatMap(({ differs }) => differs))])
  return [
    ...counted('duplicates', refused.length - conflicts.length),
    ...counted('conflicts', conflicts.length, { what }),
  ]
}

function ofCallbacks({ callbackUrl, status }: PaymentDetails, callbacks: Callbacks): Sentence[] {
  if (callbackUrl === null) return status === 'CREATED' ? [] : [['noUrl']]
  const statuses = [...new Set(callbacks.map(({ paymentStatus }) => paymentStatus))]
  const attemptsFor = (status: string) => callbacks.filter(({ paymentStatus }) => paymentStatus === status)
  const ofEach = statuses.flatMap((name) => ofOneStatus(name, attemptsFor(name)))
  return [...ofEach, ...counted('delivered', callbacks.filter(isDelivered).length)]
}

function ofOneStatus(status: string, attempts: Callbacks): Sentence[] {
  const delivered = attempts.find(isDelivered)
  if (delivered !== undefined) {
    const { attempt } = delivered
    return attempt === 1 ? [] : [['retried', { status, attempt }]]
  }
  const withheld = attempts.find(({ isWithheld }) => isWithheld)
  if (withheld !== undefined) return [['withheld', { status, by: withheld.fault?.by ?? 'a fault' }]]
  const failed = attempts.findLast(({ response, error }) => response !== null || error !== null)
  if (failed === undefined) return [['waiting']]
  const why = failed.response === null ? 'no response' : `response ${failed.response}`
  const { attempt, isGivenUp } = failed
  const times = attempt === 1 ? 'once' : `${attempt} times`
  return [[isGivenUp ? 'givenUp' : 'retrying', { status, attempt, times, why }]]
}

function isDelivered({ response }: CallbackEntry): boolean {
  return response !== null && response >= 200 && response < 300
}

/** A sentence with a count; none for 0. */
function counted(name: Sentence[0], count: number, values: Sentence[1] = {}): Sentence[] {
  return count === 0 ? [] : [[name, { ...values, count }]]
}
