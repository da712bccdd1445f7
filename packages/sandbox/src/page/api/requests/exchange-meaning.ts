import type { Arrival } from '../../../gateway/engine/logged-request.js'
import { type FaultAction, requestFaults } from '../../../gateway/faults/fault-kinds.js'
import { type RefusalMeaning, refusalMeanings } from '../../../gateway/wire/refusal-meanings.js'
import type { RouteName } from '../../../gateway/wire/routes.js'

/** What decides about the meaning of a request and its answer. */
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
  /** What happened, in a sentence or two. */
  readonly what: string
  /** What to do about it; null where nothing has to be done. */
  readonly fix: string | null
}

/** A map, because a code is any text: `constructor` is none of these. */
const byCode: ReadonlyMap<string, RefusalMeaning> = new Map(Object.entries(refusalMeanings))

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

/** What a request and its answer mean, and how to fix it. */
export function explainExchange(facts: ExchangeFacts): Meaning {
  const { fault, arrival, verdict } = facts
  const sentences = [processing(facts), fault === undefined ? '' : requestFaults[fault].note]
  if (arrival === 'left') sentences.push('The client left before the answer.')
  const what = sentences.filter(Boolean).join(' ')
  return { what, fix: fixOf(facts, verdict === undefined ? undefined : refusalOf(facts, verdict)) }
}

/** A repeated create that asks for the same, and a look for a payment that isn't there: the gateway keeps its promise. */
export function isHarmless({ arrival, verdict, differences }: ExchangeFacts): boolean {
  if (arrival !== 'whole') return false
  return verdict === 'PAYMENT_NOT_FOUND' || (verdict === 'ALREADY_ACCEPTED' && differences?.length === 0)
}

function processing(facts: ExchangeFacts): string {
  const { route, verdict, reason, fault, arrival } = facts
  if (verdict === undefined)
    return fault === undefined || arrival === 'waiting' ? 'Not answered yet.' : 'Not processed.'
  if (verdict === 'OK') return route === undefined ? 'It was served.' : served[route]
  return refusalOf(facts, verdict).what ?? reason ?? `Refused: ${verdict}.`
}

function fixOf(facts: ExchangeFacts, refusal: RefusalMeaning | undefined): string | null {
  const { route, verdict, fault, arrival } = facts
  if (refusal !== undefined && verdict !== 'OK') return refusal.fix
  if (fault === 'rate-limit') return refusalMeanings.TOO_MANY_REQUESTS.fix
  if (fault === 'hide' && verdict === undefined) return refusalMeanings.PAYMENT_NOT_FOUND.fix
  if (arrival === 'waiting') return null
  const isAnswered =
    arrival === 'whole' && (fault === undefined || requestFaults[fault].replacesAnswer === undefined)
  if (isAnswered) return null
  if (route !== 'POST /payins/{idPayin}' && route !== 'POST /payouts/{idPayout}') {
    return 'Ask again: that changes nothing.'
  }
  if (arrival === 'left' && verdict === undefined) return 'Send the same create again, with the same id.'
  return verdict === 'OK'
    ? 'The payment exists. Send the same create again, with the same id: 409 says that it is there, and nothing is paid twice.'
    : 'No payment was made by it. Send the same create again, with the same id.'
}

function refusalOf({ reason, differences }: ExchangeFacts, code: string): RefusalMeaning {
  const known = byCode.get(code)
  if (known === undefined) return { what: reason ?? null, fix: 'Look at the answer.' }
  if (code !== 'ALREADY_ACCEPTED' || differences === undefined) return known
  if (differences.length === 0) {
    return {
      what: 'This payment has been accepted before, and the create asks for the same.',
      fix: 'Nothing is wrong, and nothing is paid twice: look the payment up and go on with it.',
    }
  }
  return {
    what: `Another payment has this id, and it stands. What differs: ${differences.join(', ')}.`,
    fix: 'Find out why one id was used for two payments. If both are wanted, the second needs an id of its own.',
  }
}
