import type { Counts } from './counts.js'
import type { Micros } from './money.js'
import type { SignerPolicy } from './policy.js'

/** Which rule of the policy refused a request. */
export type SignerRule =
  /** The bytes are not a token request as the client writes it. */
  | 'unreadable'
  | 'merchant'
  | 'validity'
  /** The request's timestamp is not of now. */
  | 'timestamp'
  /** The signer's clock was turned back. */
  | 'clock'
  | 'payins'
  | 'operations'
  /** A token for a payout that is not limited to one id and its money. */
  | 'payout-limit'
  | 'currency'
  | 'hours'
  | 'most-in-one'
  | 'most-in-hour'
  | 'most-in-day'
  | 'count-in-hour'
  | 'ids'
  | 'approval'
  /** The decision could not be written down, so none was taken. */
  | 'log'
  /** A file that the policy names can't be used. */
  | 'file'
  /** More requests than a signer has to answer. */
  | 'busy'

/** What is asked for, as the log has it. */
export interface Asked {
  readonly asks?: 'payin' | 'payout' | 'operations'
  readonly id?: string
  readonly amount?: string
  readonly currencyCode?: string
}

/** What becomes of a request. */
export type Decision =
  | { readonly did: 'allowed'; readonly asked: Asked; readonly until?: number }
  | { readonly did: 'refused'; readonly asked: Asked; readonly rule: SignerRule; readonly why: string }

/** An approval: this id, with this money and no other, for a day. */
export interface Approval {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
  readonly at: number
}

/** All that a decision is made of, beside the request. */
export interface Facts {
  readonly policy: SignerPolicy
  readonly counts: Counts
  /** By the signer's clock. */
  readonly nowMs: number
  /** The list of ids, with `amount currency` where the list says it; absent where the policy names none. */
  readonly ids?: ReadonlyMap<string, string | undefined>
  readonly approvals: readonly Approval[]
}

/** How far a request's timestamp and the signer's clock may be apart, and by how much that clock may go back. */
export const skewMs = 60_000

export function refuse(rule: SignerRule, why: string, asked: Asked = {}): Decision {
  return { did: 'refused', asked, rule, why }
}
