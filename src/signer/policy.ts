/** What a signer signs. Amounts are decimal texts, `"1000.50"`, in the currency's main unit. */
export interface SignerPolicy {
  /** Where the JSON schema of this file is: `dist/signer-policy.schema.json` of this package. */
  readonly $schema?: string | undefined
  /** The version of this format. */
  readonly policyVersion: 1
  /** The merchant whose token requests are signed. */
  readonly merchantCode: string
  /** Whether tokens for single payins are signed: creating and reading one, and payment options. */
  readonly payins: boolean
  /** Further operations, by their exact text: `GET` of anything, and `POST /payins/.*`. Default: none. */
  readonly operations?: readonly string[] | undefined
  /** What may be paid out in each currency; one that is not there is refused. */
  readonly payouts: Readonly<Record<string, PayoutLimits>>
  /** When payouts are signed. Default: at any time. */
  readonly hours?: SignerHours | undefined
  /**
   * A file of the payouts that the ledger knows, one id a line, or id, amount and currency with tabs between them. A
   * payout that is not in it is refused. Default: ids are not asked for.
   */
  readonly ids?: string | undefined
  /** Where approvals stand, and whose they must be. Needed where a currency has `approvalAbove`. */
  readonly approvals?: SignerApprovals | undefined
  /** The longest `validitySecs` that is signed, in seconds. Default 900. */
  readonly mostValiditySecs?: number | undefined
  /** For how many seconds after its timestamp the gateway takes a token request. Default 300. */
  readonly timestampToleranceSecs?: number | undefined
  /** The unit of `timestamp`. Default `seconds`. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** How ids stand in operations. Default `percent-encoded`. */
  readonly idsInOperations?: 'percent-encoded' | 'decoded' | undefined
}

/** The limits of one currency. */
export interface PayoutLimits {
  /** The most in one payout. */
  readonly mostInOne: string
  /** The most in any hour. */
  readonly mostInHour: string
  /** The most in any 24 hours. */
  readonly mostInDay: string
  /** How many payouts in any hour. */
  readonly countInHour: number
  /** A payout of more than this needs an approval. Default: none does. */
  readonly approvalAbove?: string | undefined
}

/** Hours of the day, `08:00`; `from` after `to` goes over midnight. */
export interface SignerHours {
  /** The first minute. */
  readonly from: string
  /** The minute after the last one. */
  readonly to: string
  /** Such as `Europe/Vienna`. Default `UTC`. */
  readonly timeZone?: string | undefined
}

/** Who approves. */
export interface SignerApprovals {
  /** The file that `merchant-gateway signer approve` writes. */
  readonly file: string
  /** The number of the user who owns it, and alone may write to it: not the one that the signer runs as. */
  readonly uid: number
}
