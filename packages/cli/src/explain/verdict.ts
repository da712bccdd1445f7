import type { PaymentKind } from '../../../../src/index.js'
import type { PaymentAnswer } from '../command-output.js'
import type { LogLine } from './read-log.js'
import { hasEnd, isCreate } from './steps.js'

/** What the gateway shows now; undefined where it was not asked. */
export type Shown =
  | { readonly state: 'found'; readonly payment: PaymentAnswer; readonly paid: boolean }
  | { readonly state: 'missing' }
  | { readonly state: 'unanswered'; readonly why: string }
  | undefined

/** What it means for the money, and what to do: a sentence each. */
export interface Verdict {
  readonly money: string
  readonly advice: string
}

const sameId = 'call create again with the same id, and never with another one'

/** What the log and the gateway together say. */
export function verdictOf(kind: PaymentKind, lines: readonly LogLine[], shown: Shown): Verdict {
  const ends = lines.filter(({ event, name }) => event === 'call:end' && isCreate(name))
  if (ends.some(({ code }) => code === 'idempotency_conflict')) {
    return {
      money: `A create was refused because the ${kind} under this id asks for something else: it moved no second money.`,
      advice: `Find out which of the two requests is right; the other one needs an id of its own. ${stateOf(kind, shown)}`,
    }
  }
  if (shown?.state === 'found') return ofPayment(kind, lines, shown)
  const outcome = outcomeOf(lines)
  if (shown?.state === 'missing') {
    if (outcome === 'not-accepted') {
      return {
        money: `The gateway shows no ${kind} under this id, and no money has moved by it.`,
        advice: `If it is still wanted, create it with this id.`,
      }
    }
    return {
      money: `The gateway shows no ${kind} under this id now, ${outcome === 'none' ? 'and' : 'although'} ${because[outcome]}; a 404 alone proves nothing.`,
      advice: `To have it for certain, ${sameId}.`,
    }
  }
  const notAsked =
    shown === undefined ? 'The gateway was not asked.' : `The gateway could not be asked: ${shown.why}.`
  const told = lastDelivery(lines)
  if (told?.paymentStatus === 'SUCCESS') {
    return { money: `By the log it was ${done[kind]}. ${notAsked}`, advice: adviceOfPaid(kind, lines) }
  }
  if (outcome === 'accepted') {
    return {
      money: `By the log the gateway has this ${kind}, and nothing says that it was ${done[kind]}. ${notAsked}`,
      advice: `Look it up: merchant-gateway ${kind} get, or run this with the credentials of the gateway.`,
    }
  }
  if (outcome === 'unknown') {
    return {
      money: `By the log nobody knows whether the gateway has this ${kind}. ${notAsked}`,
      advice: `To know, ${sameId}: it is created if it was not, and found if it was.`,
    }
  }
  return {
    money: `By the log no create of this ${kind} was accepted. ${notAsked}`,
    advice: `If it is still wanted, create it with this id.`,
  }
}

const done = { payin: 'paid', payout: 'paid out' } as const

const because = {
  none: 'no log here has a create of it, and another process may have sent one',
  accepted: 'it accepted it by the log',
  unknown: 'it may have accepted it by the log',
} as const

function ofPayment(
  kind: PaymentKind,
  lines: readonly LogLine[],
  { payment, paid }: Extract<Shown, { state: 'found' }>,
): Verdict {
  const { status = 'no status', final } = payment
  if (paid) {
    return { money: moneyOfPaid(kind, payment), advice: adviceOfPaid(kind, lines) }
  }
  if (final) {
    return {
      money: `The ${kind} is over (${status}) and not ${done[kind]}: by this status no money of it is on its way.`,
      advice: toldOf(lines, status)
        ? 'Nothing: your function knows it.'
        : 'If it was paid before, it has come back: balance it in your books. To pay again, use a new id.',
    }
  }
  return {
    money: `The ${kind} exists and is not final (${status}): it may still be ${done[kind]}.`,
    advice: 'Wait for it, and create no other one in its place.',
  }
}

function moneyOfPaid(kind: PaymentKind, { isTest }: PaymentAnswer): string {
  if (isTest === true) return `The ${kind} is a test that shows itself as ${done[kind]}: no money has moved.`
  return kind === 'payin' ? 'The customer has paid: the money is yours.' : 'The money has gone out.'
}

function adviceOfPaid(kind: PaymentKind, lines: readonly LogLine[]): string {
  if (lines.length === 0) return 'See that your own system knows it; there is no log that says so.'
  if (toldOf(lines, 'SUCCESS')) return 'Nothing: your function has dealt with it.'
  const id = kind === 'payin' ? 'idPayin' : 'idPayout'
  const failed =
    lastDelivery(lines)?.result === 'rejected'
      ? 'Your function failed with it'
      : 'No function of yours was told of it'
  return `${failed}, by this log: see that your own system has it, for example with callbacks.reconcile([{ ${id} }], { deliver: true }).`
}

function toldOf(lines: readonly LogLine[], status: string): boolean {
  return lines.some(
    ({ event, result, paymentStatus }) =>
      event === 'delivery' && result === 'resolved' && paymentStatus === status,
  )
}

function lastDelivery(lines: readonly LogLine[]): LogLine | undefined {
  return lines.findLast(({ event }) => event === 'delivery')
}

function stateOf(kind: PaymentKind, shown: Shown): string {
  if (shown?.state !== 'found') return ''
  const { status = 'no status' } = shown.payment
  return `The ${kind} under this id is ${shown.paid ? done[kind] : status}.`
}

/**
 * The most that is proved: what was once accepted or seen stays so. A create without an end is 'unknown', and so is a
 * callback, which anybody can send who has its URL.
 */
function outcomeOf(lines: readonly LogLine[]): 'none' | 'not-accepted' | 'unknown' | 'accepted' {
  const creates = lines.filter(({ name }) => isCreate(name))
  const outcomes = creates.map(({ outcome, event }) => (event === 'call:end' ? outcome : undefined))
  if (outcomes.includes('accepted') || lines.some(wasSeen)) return 'accepted'
  const wasCut = creates.some((line) => line.event === 'attempt:start' && !hasEnd(line, lines))
  if (outcomes.includes('unknown') || wasCut || lines.some(({ event }) => event === 'callback'))
    return 'unknown'
  return creates.length === 0 ? 'none' : 'not-accepted'
}

function wasSeen({ event, name, code, message }: LogLine): boolean {
  const hasSucceeded = event === 'call:end' && code === undefined && message === undefined
  return event === 'delivery' || (hasSucceeded && !isCreate(name))
}
