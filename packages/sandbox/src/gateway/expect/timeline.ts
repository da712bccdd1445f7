import { oneLine } from '../../common/text.js'
import type { SandboxCallback } from '../callbacks/attempt.js'
import type { SandboxRequest } from '../engine/logged-request.js'
import type { PaymentKind, SandboxPayment } from '../payments/payment.js'
import type { Sandbox } from '../sandbox.js'

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
export function describeTimeline(events: readonly TimelineEvent[], most = 60): string[] {
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
