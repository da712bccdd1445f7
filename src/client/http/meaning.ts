import type { GatewayErrorDetails, Outcome } from '../errors.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import type { About } from './failure.js'

/** What a failure means for the money and what to do next. */
export interface Meaning {
  readonly details: GatewayErrorDetails
  readonly sentence: string
}

/** From what a request was about, and what may have become of it, to what the error says. */
export function meaningOf(about: About, outcome: Outcome): Meaning {
  switch (about.kind) {
    case 'create': {
      const sentence = createSentence(about.payment, outcome, about.isGiven)
      return {
        details: { [idFieldOf[about.payment]]: about.id, outcome },
        sentence: about.before === undefined ? sentence : `${about.before}: ${sentence}`,
      }
    }
    case 'read':
      return {
        details: { [idFieldOf[about.payment]]: about.id },
        sentence: `this says nothing about whether the ${about.payment} exists or was paid, and it is safe to ask again`,
      }
    case 'request':
      return { details: {}, sentence: about.method === 'GET' ? touchedNothing : requestSentences[outcome] }
    case 'account':
      return { details: {}, sentence: touchedNothing }
    case 'token':
      return { details: {}, sentence: 'no payment was touched by it' }
  }
}

function createSentence(kind: PaymentKind, outcome: Outcome, isGiven: boolean): string {
  if (outcome === 'accepted') {
    return `the gateway has a ${kind} under this id, so never create it under another one; call again with the same id to get it`
  }
  if (outcome === 'unknown') {
    return `the ${kind} may or may not exist, so never create it under another id; call again with the same id`
  }
  // What an earlier call with this id did, this one can't know.
  return isGiven
    ? `this call created no ${kind}; to try again, use the same id`
    : `no ${kind} was created; to try again, use the same id`
}

const touchedNothing = 'no payment was touched, and it is safe to ask again'

const requestSentences: Record<Outcome, string> = {
  'not-accepted': 'the gateway did not process it',
  unknown: 'the gateway may have processed it, so find out before you repeat it with other content',
  accepted: 'the gateway has processed it',
}
