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

/** What a signer throws in place of a signature. The client's call ends with a `SigningError` whose `cause` this is. */
export class SignerRefusal extends Error {
  /** The rule of the policy that refused it. */
  readonly rule: SignerRule

  /**
   * A signer makes these; a fake in a test may too.
   *
   * @param rule which rule refused it.
   * @param why a clause that ends without a full stop.
   */
  constructor(rule: SignerRule, why: string) {
    super(why)
    this.name = 'SignerRefusal'
    this.rule = rule
  }
}

/** What a thrown value says, for the clause of a sentence. */
export function whyOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'it failed'
}
