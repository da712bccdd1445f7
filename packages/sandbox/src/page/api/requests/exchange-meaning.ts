import type { Arrival } from '../../../gateway/engine/logged-request.js'
import type { FaultAction } from '../../../gateway/faults/fault.js'
import { requestFaults } from '../../../gateway/faults/fault-kinds.js'
import { refusalFixes } from '../../../gateway/wire/refusal-fixes.js'
import type { RouteName } from '../../../gateway/wire/routes.js'
import { filled } from '../text.js'

export interface ExchangeFacts {
  readonly route: RouteName | undefined
  /** `OK`, the code of the refusal, or undefined while nothing was processed. */
  readonly verdict: string | undefined
  /** Why it was refused, in the gateway's words. */
  readonly reason: string | undefined
  readonly fault: FaultAction['kind'] | undefined
  readonly arrival: Arrival
  /** For a create whose id was taken: in what it differs from the payment; undefined when that is not known. */
  readonly differences: readonly string[] | undefined
}

export interface Meaning {
  readonly what: string
  /** What to do about it; null where nothing has to be done. */
  readonly fix: string | null
  /** A repeated create that asks for the same, or a status request for a payment that is not there. */
  readonly isHarmless: boolean
}

const served: Readonly<Record<RouteName, string>> = {
  'POST /auth-tokens-by-action': 'A token was made, for one action on one payment.',
  'POST /auth-tokens': 'A token was made, for the operations that were asked for.',
  'POST /payins/!availablePaymentOptions': 'The ways to pay were read.',
  'GET /merchant-info': 'The merchant’s data were read.',
  'POST /payins/{idPayin}': 'The payin was accepted.',
  'GET /payins/{idPayin}': 'The payin was read.',
  'POST /payouts/{idPayout}': 'The payout was accepted.',
  'GET /payouts/{idPayout}': 'The payout was read.',
  'GET /balances': 'The balances were read.',
  'GET /currencies': 'The currencies were read.',
  'GET /payment-operators': 'The payment operators were read.',
  'GET /payins/{idPayin}/customer-account': 'The customer’s account data were read.',
}

const processing = {
  waiting: 'No response yet.',
  faulted: 'Not processed.',
  unknownRoute: 'It was served.',
  refused: 'Refused: {verdict}.',
  left: 'The client left before the response.',
} as const

interface RefusalMeaning {
  /** Undefined where the gateway's own sentence says it. */
  readonly what?: string
  readonly fix: string
}

/** A create under an id that is taken, where the payment is known. */
const duplicates = {
  same: {
    what: 'This payment was accepted before, and the create asks for the same.',
    fix: 'Nothing is wrong, and nothing is paid twice: look the payment up and go on with it.',
  },
  other: {
    what: 'Another payment has this id, and it stays as it is. What differs: {differences}.',
    fix: 'Find out why one id was used for two payments. If both are wanted, the second needs an id of its own.',
  },
} as const

const fixes = {
  read: 'Send it again: that changes nothing.',
  unknown: 'Send the same create again, with the same id.',
  accepted:
    'The payment exists. Send the same create again, with the same id: 409 says that it is there, and nothing is paid twice.',
  notAccepted: 'No payment was made by it. Send the same create again, with the same id.',
} as const

/** A map, because a code is any text: `constructor` is none of these. */
const byCode: ReadonlyMap<string, string> = new Map(Object.entries(refusalFixes))

export function explainExchange(facts: ExchangeFacts): Meaning {
  const { fault, arrival, verdict, differences } = facts
  const refusal = verdict === undefined || verdict === 'OK' ? undefined : refusalOf(verdict, differences)
  const what = [
    processingOf(facts, refusal),
    fault === undefined ? '' : faultText(fault),
    arrival === 'left' ? processing.left : '',
  ]
  const isSame = verdict === 'ALREADY_ACCEPTED' && differences?.length === 0
  return {
    what: what.filter(Boolean).join(' '),
    fix: refusal?.fix ?? fixOf(facts),
    isHarmless: arrival === 'whole' && (isSame || verdict === 'PAYMENT_NOT_FOUND'),
  }
}

/** Such as `Fault: answer late.` */
function faultText(fault: FaultAction['kind']): string {
  const { label } = requestFaults[fault]
  return `Fault: ${label.charAt(0).toLowerCase()}${label.slice(1)}.`
}

function refusalOf(code: string, differences: readonly string[] | undefined): RefusalMeaning {
  const known = { fix: byCode.get(code) ?? 'Read the response.' }
  if (code !== 'ALREADY_ACCEPTED' || differences === undefined) return known
  if (differences.length === 0) return duplicates.same
  const { what, fix } = duplicates.other
  return { what: filled(what, { differences: differences.join(', ') }), fix }
}

function processingOf(facts: ExchangeFacts, refusal: RefusalMeaning | undefined): string {
  const { route, verdict, reason, fault, arrival } = facts
  if (verdict === undefined) {
    return fault === undefined || arrival === 'waiting' ? processing.waiting : processing.faulted
  }
  if (refusal !== undefined) return refusal.what ?? reason ?? filled(processing.refused, { verdict })
  return route === undefined ? processing.unknownRoute : served[route]
}

function fixOf({ route, verdict, fault, arrival }: ExchangeFacts): string | null {
  if (fault === 'rate-limit') return refusalFixes.TOO_MANY_REQUESTS
  if (fault === 'hide' && verdict === undefined) return refusalFixes.PAYMENT_NOT_FOUND
  if (arrival === 'waiting') return null
  const isOwnResponse = fault === undefined || requestFaults[fault].replacesAnswer === undefined
  if (arrival === 'whole' && isOwnResponse) return null
  if (route !== 'POST /payins/{idPayin}' && route !== 'POST /payouts/{idPayout}') return fixes.read
  if (verdict === 'OK') return fixes.accepted
  return arrival === 'left' ? fixes.unknown : fixes.notAccepted
}
