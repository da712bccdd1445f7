import type { SignerRule } from './decision.js'

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
