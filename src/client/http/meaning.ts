import type { GatewayErrorDetails, Outcome } from '../errors.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment.js'
import type { About } from './failure.js'

export interface Meaning {
  readonly details: GatewayErrorDetails
  readonly money: string
  readonly again?: string
}

export function meaningOf(about: About, outcome: Outcome): Meaning {
  switch (about.kind) {
    case 'create': {
      const { money, again } = ofCreate(about.payment, outcome, about.isGiven)
      return {
        details: { [idFieldOf[about.payment]]: about.id, outcome },
        money: about.before === undefined ? money : `${about.before}: ${money}`,
        again,
      }
    }
    case 'read':
      return {
        details: { [idFieldOf[about.payment]]: about.id },
        money: `this says nothing about whether the ${about.payment} exists or was paid, and it is safe to ask again`,
      }
    case 'request':
      return { details: {}, money: about.method === 'GET' ? touchedNothing : ofRequest[outcome] }
    case 'account':
      return { details: {}, money: touchedNothing }
    case 'token':
      return { details: {}, money: 'no payment was touched by it' }
  }
}

function ofCreate(kind: PaymentKind, outcome: Outcome, isGiven: boolean): Required<Omit<Meaning, 'details'>> {
  switch (outcome) {
    case 'accepted':
      return {
        money: `the gateway has a ${kind} under this id, so never create it under another one`,
        again: 'call again with the same id to get it',
      }
    case 'unknown':
      return {
        money: `the ${kind} may or may not exist, so never create it under another id`,
        again: 'call again with the same id',
      }
    case 'not-accepted':
      return {
        // What an earlier call with this id did, this one can't know.
        money: isGiven ? `this call created no ${kind}` : `no ${kind} was created`,
        again: 'to try again, use the same id',
      }
  }
}

const touchedNothing = 'no payment was touched, and it is safe to ask again'

const ofRequest: Record<Outcome, string> = {
  'not-accepted': 'the gateway did not process it',
  unknown: 'the gateway may have processed it, so find out before you repeat it with other content',
  accepted: 'the gateway has processed it',
}
