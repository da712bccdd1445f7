import type { Outcome } from '../errors.js'
import type { Evidence } from '../http/failure.js'
import type { Meaning } from '../http/to-error.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'

const outcomeOf: Record<Evidence, Outcome> = {
  none: 'not-accepted',
  possible: 'unknown',
  certain: 'accepted',
}

export function meaningOfCreate(
  kind: PaymentKind,
  id: string,
  givenId: boolean,
  evidence: Evidence,
): Meaning {
  const outcome = outcomeOf[evidence]
  return { details: { [idFieldOf[kind]]: id, outcome }, sentence: createSentence(kind, outcome, givenId) }
}

function createSentence(kind: PaymentKind, outcome: Outcome, givenId: boolean): string {
  if (outcome === 'accepted') {
    return `the gateway has a ${kind} under this id, so never create it under another one; call again with the same id to get it`
  }
  if (outcome === 'unknown') {
    return `the ${kind} may or may not exist, so never create it under another id; call again with the same id`
  }
  // What an earlier call with this id did, this one can't know.
  return givenId
    ? `this call created no ${kind}; to try again, use the same id`
    : `no ${kind} was created; to try again, use the same id`
}

/** What the failure of the look-up means that a create makes once it was answered 409. */
export function meaningAfter409(kind: PaymentKind, id: string, evidence: Evidence, quoted = ''): Meaning {
  const { details, sentence } = meaningOfCreate(kind, id, true, evidence)
  return { details, sentence: `the create was answered 409 before${quoted}: ${sentence}` }
}

/** What the failure of the same create means, sent again since the look-up after a 409 showed nothing of the payment. */
export function meaningOfSecondCreate(
  kind: PaymentKind,
  id: string,
  evidence: Evidence,
  quoted = '',
): Meaning {
  const { details, sentence } = meaningOfCreate(kind, id, true, evidence)
  return {
    details,
    sentence: `the create was answered 409 before${quoted}, and the look-up showed nothing of the ${kind} (${whereItStands}): ${sentence}`,
  }
}

/** What to do where a gateway shows its payments otherwise than the specification does. */
export const whereItStands =
  'if it stands elsewhere, say where by the option statuses; "merchant-gateway doctor --pay" finds it'

export function meaningOfRead(kind: PaymentKind, id: string): Meaning {
  return {
    details: { [idFieldOf[kind]]: id },
    sentence: `this says nothing about whether the ${kind} exists or was paid, and it is safe to ask again`,
  }
}

/** What the failure of any other reading call means. */
export function meaningOfLookup(): Meaning {
  return { details: {}, sentence: 'no payment was touched, and it is safe to ask again' }
}

/** What the failure of a request of the caller's own making means. */
export function meaningOfRequest(method: string, evidence: Evidence): Meaning {
  if (method === 'GET') return meaningOfLookup()
  return { details: {}, sentence: requestSentences[evidence] }
}

const requestSentences: Record<Evidence, string> = {
  none: 'the gateway did not process it',
  possible: 'the gateway may have processed it, so find out before you repeat it with other content',
  certain: 'the gateway has processed it',
}
