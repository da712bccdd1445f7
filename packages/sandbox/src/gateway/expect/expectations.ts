import { oneLine } from '../../common/text.js'
import type { SandboxCallback } from '../callbacks/attempt.js'
import type { SandboxRequest } from '../engine/logged-request.js'
import { Payment, type PaymentKind, type SandboxPayment, type SandboxStatus } from '../payments/payment.js'
import { type PaymentRequest, parseCreate, sameContent } from '../payments/payment-request.js'
import type { Sandbox } from '../sandbox.js'
import { parseObject } from '../wire/json-body.js'

/**
 * An expectation that does not hold. Its message ends with a timeline of what happened; no credential, no
 * body and no account number is in it.
 *
 * @example
 * ```ts
 * expect(() => expectNoPayment(sandbox)).toThrow(SandboxExpectationError)
 * ```
 */
export class SandboxExpectationError extends Error {
  /** The class's name. */
  override readonly name = 'SandboxExpectationError'
  /** The timeline alone, a line for each event. */
  readonly timeline: readonly string[]

  /**
   * For expectations of your own.
   *
   * @param what which expectation does not hold.
   * @param timeline a line for each event.
   */
  constructor(what: string, timeline: readonly string[]) {
    super([what, ...timeline].join('\n'))
    this.timeline = timeline
  }
}

/** What `expectExactlyOnce` looks at. */
export interface ExactlyOnceOptions {
  /** `payin` or `payout`; only needed where both have the same id. */
  readonly kind?: PaymentKind
  /** The status that the payment must have now, such as `SUCCESS`. Any by default. */
  readonly status?: SandboxStatus
  /** Whether other payments may ask for the same money, method, operator and account. `false` by default. */
  readonly allowDuplicates?: boolean
}

/**
 * Expects that the payment with this id was accepted once: it is there, every other create under its id asked
 * for the same, and no other payment of this sandbox asks for the same under another id, which is how a retry
 * with a fresh id pays twice.
 *
 * @param sandbox the one that your code has used.
 * @param id the `idPayin` or `idPayout`.
 * @param options its kind and status, and whether duplicates are allowed.
 * @throws with a timeline ({@link SandboxExpectationError}).
 * @example
 * ```ts
 * sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
 * await payInvoice('invoice-7')
 * expectExactlyOnce(sandbox, 'invoice-7', { status: 'SUCCESS' })
 * ```
 */
export function expectExactlyOnce(sandbox: Sandbox, id: string, options: ExactlyOnceOptions = {}): void {
  const found = findPayments(sandbox, { id, ...kindOnly(options) })
  const [payment] = found
  if (payment === undefined) throw failed(sandbox, `No payment has the id ${quoted(id)}.`, {})
  if (found.length > 1) {
    throw failed(sandbox, `A payin and a payout have the id ${quoted(id)}: say which by kind.`, { id })
  }
  const { kind } = payment
  const wanted = requestOf(payment)
  const others = sandbox.requests.filter((request) => isCreateOf(request, kind, id))
  const conflict = others.find((request) => differs(request, kind, wanted))
  if (conflict !== undefined) {
    throw failed(sandbox, `A create for the ${kind} ${quoted(id)} asked for something else.`, { kind, id })
  }
  const same = findPayments(sandbox, { kind }).filter((other) => sameContent(requestOf(other), wanted))
  if (same.length > 1 && options.allowDuplicates !== true) {
    const ids = same.map((duplicate) => quoted(duplicate.id)).join(', ')
    throw failed(sandbox, `${same.length} ${kind}s ask for the same money and account: ${ids}.`, { kind })
  }
  const { status = payment.status } = options
  if (payment.status === status) return
  throw failed(sandbox, `The ${kind} ${quoted(id)} is ${payment.status} and not ${status}.`, { kind, id })
}

/**
 * Expects that no payment was accepted, or none with this id.
 *
 * @param sandbox the one that your code has used.
 * @param id the `idPayin` or `idPayout`; any payment, without it.
 * @throws with a timeline ({@link SandboxExpectationError}).
 * @example
 * ```ts
 * await shop.checkout({ card: 'refused' })
 * expectNoPayment(sandbox)
 * ```
 */
export function expectNoPayment(sandbox: Sandbox, id?: string): void {
  const aim = id === undefined ? {} : { id }
  const found = findPayments(sandbox, aim)
  if (found.length === 0) return
  const names = found.slice(0, 10).map((payment) => `${payment.kind} ${quoted(payment.id)}`)
  throw failed(sandbox, `Expected no payment, and there are ${found.length}: ${names.join(', ')}.`, aim)
}

/**
 * Expects that callbacks were sent, about this payment or about any, and that each was answered with a 2xx in
 * the end. Await `sandbox.idle()` or `sandbox.clock.advance()` before. How often a callback is sent is a gap in
 * section 6: here up to `callbackTries` times.
 *
 * @param sandbox the one that your code has used.
 * @param id the `idPayin` or `idPayout`; any payment, without it.
 * @throws with a timeline ({@link SandboxExpectationError}).
 * @example
 * ```ts
 * await sandbox.clock.advance(60_000)
 * expectCallbacksAnswered(sandbox, idPayin)
 * ```
 */
export function expectCallbacksAnswered(sandbox: Sandbox, id?: string): void {
  const aim = id === undefined ? {} : { id }
  const sent = sandbox.callbacks.filter((callback) => id === undefined || callback.id === id)
  if (sent.length === 0) throw failed(sandbox, 'Expected callbacks, and none was sent.', aim)
  const answered = new Map<string, boolean>()
  for (const { kind, id: of, paymentStatus, response = 0 } of sent) {
    const name = `${paymentStatus} of ${kind} ${quoted(of)}`
    answered.set(name, answered.get(name) === true || (response >= 200 && response < 300))
  }
  const open = [...answered].filter(([, isAnswered]) => !isAnswered).map(([name]) => name)
  if (open.length > 0) throw failed(sandbox, `Callbacks without a 2xx: ${open.join(', ')}.`, aim)
}

/**
 * Expects that the gateway's limiter (section 8) refused no request. A 429 that a fault made does not count.
 *
 * @param sandbox the one that your code has used.
 * @throws with a timeline ({@link SandboxExpectationError}).
 * @example
 * ```ts
 * await Promise.all(orders.map((order) => pay(order)))
 * expectNoRateLimitHit(sandbox)
 * ```
 */
export function expectNoRateLimitHit(sandbox: Sandbox): void {
  const hits = sandbox.requests.filter(({ verdict }) => verdict === 'TOO_MANY_REQUESTS')
  if (hits.length > 0) throw failed(sandbox, `The rate limit refused ${hits.length} requests.`, {})
}

/**
 * Expects that the gateway found nothing wrong with any request: none was refused with a 4xx. A 409 of a
 * create that is repeated and a 429 are answers that a correct client gets too, and a 4xx that a fault made
 * is nobody's mistake.
 *
 * @param sandbox the one that your code has used.
 * @throws with a timeline ({@link SandboxExpectationError}).
 * @example
 * ```ts
 * afterEach(() => expectNoRefusals(sandbox))
 * ```
 */
export function expectNoRefusals(sandbox: Sandbox): void {
  const refused = sandbox.requests.filter(({ status = 0, verdict, fault }) => {
    const isFine = verdict === 'OK' || verdict === 'ALREADY_ACCEPTED' || verdict === 'TOO_MANY_REQUESTS'
    return status >= 400 && status < 500 && !isFine && fault === undefined
  })
  if (refused.length === 0) return
  const verdicts = [...new Set(refused.map(({ verdict }) => verdict))].join(', ')
  throw failed(sandbox, `${refused.length} requests were refused: ${verdicts}.`, {})
}

function failed(sandbox: Sandbox, what: string, aim: TimelineAim): SandboxExpectationError {
  return new SandboxExpectationError(what, describeTimeline(timelineOf(sandbox, aim)))
}

function findPayments(sandbox: Sandbox, { kind, id }: TimelineAim): SandboxPayment[] {
  return [...sandbox.payouts.list(), ...sandbox.payins.list()].filter((payment) => {
    return (kind === undefined || payment.kind === kind) && (id === undefined || payment.id === id)
  })
}

function kindOnly({ kind }: ExactlyOnceOptions): { kind?: PaymentKind } {
  return kind === undefined ? {} : { kind }
}

function requestOf(payment: SandboxPayment): PaymentRequest {
  if (payment instanceof Payment) return payment.request
  throw new Error('This sandbox comes from another copy of merchant-gateway-sandbox than the expectation.')
}

function isCreateOf({ method, idPayin, idPayout }: SandboxRequest, kind: PaymentKind, id: string): boolean {
  return method === 'POST' && (kind === 'payin' ? idPayin : idPayout) === id
}

/** Whether a create asked for something else. A body that the gateway could not read asked for nothing. */
function differs({ bodyBytes }: SandboxRequest, kind: PaymentKind, wanted: PaymentRequest): boolean {
  try {
    return !sameContent(parseCreate(kind, parseObject(bodyBytes)), wanted)
  } catch {
    return false
  }
}

function quoted(id: string): string {
  return JSON.stringify(id)
}

/** One thing that happened in a sandbox. Holds no credential, no body and no account. */
export interface TimelineEvent {
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number
  /** A request, a change of status, or a callback. */
  readonly type: 'request' | 'status' | 'callback'
  /** In one line, such as `POST /payouts/one: 200 OK`. */
  readonly text: string
}

/** Which payment a timeline is about. */
export interface TimelineAim {
  /** Only payins, or only payouts. */
  readonly kind?: PaymentKind
  /** Only the payment with this idPayin or idPayout. */
  readonly id?: string
}

// The order of events with the same time: a request changes a status, and the status sends a callback.
const ranks = { request: 0, status: 1, callback: 2 }

/**
 * What happened in a sandbox, or to one payment, in the order of its clock: requests, statuses, callbacks.
 * Queries, bodies and the paths of callback URLs are left out, since they may hold what nobody should read.
 *
 * @param sandbox the one that your code has used.
 * @param aim which payment; everything, without it.
 * @example
 * ```ts
 * for (const { at, text } of timelineOf(sandbox, { id: idPayout })) console.log(at, text)
 * ```
 */
export function timelineOf(sandbox: Sandbox, aim: TimelineAim = {}): TimelineEvent[] {
  const isMeant = (kind: PaymentKind | undefined, id: string | undefined) =>
    (aim.kind === undefined || kind === aim.kind) && (aim.id === undefined || id === aim.id)
  const payments = [...sandbox.payins.list(), ...sandbox.payouts.list()]
  const events = [
    ...sandbox.requests.filter((request) => isMeant(kindOf(request), idOf(request))).map(requestEvent),
    ...payments.filter(({ kind, id }) => isMeant(kind, id)).flatMap(statusEvents),
    ...sandbox.callbacks.filter(({ kind, id }) => isMeant(kind, id)).map(callbackEvent),
  ]
  return events.sort((a, b) => a.at - b.at || ranks[a.type] - ranks[b.type])
}

/** Events as lines of text, with the times counted from the first; the newest `most` only. */
function describeTimeline(events: readonly TimelineEvent[], most = 60): string[] {
  const shown = events.slice(-most)
  const [start] = events
  if (start === undefined) return ['Nothing happened.']
  const times = shown.map(({ at }) => `+${Number((at - start.at).toFixed(3))} ms`)
  const width = Math.max(...times.map((time) => time.length))
  const lines = shown.map(({ type, text }, index) => {
    return `${(times[index] ?? '').padStart(width)}  ${type.padEnd(8)}  ${text}`
  })
  const left = events.length - shown.length
  const head = `From ${new Date(start.at).toISOString()}, by the sandbox's clock:`
  return left === 0 ? [head, ...lines] : [head, `(${left} earlier events are left out)`, ...lines]
}

function kindOf({ idPayin, idPayout }: SandboxRequest): PaymentKind | undefined {
  return idPayin !== undefined ? 'payin' : idPayout !== undefined ? 'payout' : undefined
}

function idOf({ idPayin, idPayout }: SandboxRequest): string | undefined {
  return idPayin ?? idPayout
}

function requestEvent({ at, method, path, status, verdict, fault }: SandboxRequest): TimelineEvent {
  const met = fault === undefined ? '' : ` (met the fault ${fault})`
  const code = verdict === undefined ? '' : ` ${verdict}`
  const answer = status === undefined ? 'not answered' : `${status}${code}`
  return { at, type: 'request', text: oneLine(`${method} ${path.replace(/[?#].*$/s, '')}: ${answer}${met}`) }
}

function statusEvents({ kind, id, history }: SandboxPayment): TimelineEvent[] {
  return history.map(({ at, status }) => ({
    at,
    type: 'status',
    text: oneLine(`${kind} ${id} is ${status}`),
  }))
}

function callbackEvent(callback: SandboxCallback): TimelineEvent {
  const { at, kind, id, paymentStatus, url, attempt, response, error } = callback
  const result = response ?? (error === undefined ? 'not answered yet' : error.replaceAll(url, hostOf(url)))
  const text = `for ${paymentStatus} of ${kind} ${id}, to ${hostOf(url)}, try ${attempt}: ${result}`
  return { at, type: 'callback', text: oneLine(text) }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'nowhere'
}
