/**
 * Which rule of the policy refused a request. `unreadable` are bytes that are not a token request as the client writes
 * it; `payout-limit` is a token for payouts that is not limited to one id and its money; `clock` is a signer whose clock
 * was turned back; `file` is a file of approvals that can't be used; `log` is a decision that could not be written down;
 * `busy` are more requests than a signer handles.
 */
export type SignerRule =
  | ('unreadable' | 'merchant' | 'validity' | 'timestamp' | 'clock')
  | ('payins' | 'operations' | 'payout-limit')
  | ('currency' | 'hours' | 'most-in-one' | 'most-in-hour' | 'most-in-day' | 'count-in-hour' | 'approval')
  | ('file' | 'log' | 'busy')

/** What a signer throws in place of a signature. The call of the client fails with a `SigningError` whose `cause` this is. */
export class SignerRefusal extends Error {
  /** The rule of the policy that refused the request. */
  readonly rule: SignerRule

  /** A signer makes these; a fake in a test may too. `why` is a clause without a full stop. */
  constructor(rule: SignerRule, why: string) {
    super(why)
    this.name = 'SignerRefusal'
    this.rule = rule
  }
}
