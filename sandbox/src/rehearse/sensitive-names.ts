const secret =
  /secret|token|passw|passphrase|passcode|private|authorization|signature|cookie|(?:api|access|auth|client|app)[-_]?key|credential|session|bearer|hmac|jwt/i
/** Too short to be looked for within other words: "sig" is in "design". */
const shortSecret = /(?:^|[-_.\s])(?:auth|cvc|cvv|key|mac|otp|pass|pin|pwd|sid|sig|sign)$/i
const idempotencyKey = /^(?:x[-_])?idempotency[-_]?key$/i
const accountNumber = /(?:account|card)[-_]?(?:number|no\b)|iban/i
const customer =
  /(?:account|customer|first|last|family|given|full|card)[-_]?(?:name|holder)|e-?mail|phone|mobile|birth|address/i

/** What a name of a header, a field, an option or a query says of its value. */
export type Sensitivity = 'secret' | 'account number' | 'customer'

/** Whether the value under this name must not be shown, or only so much that it can be told apart. */
export function sensitivityOf(name: string): Sensitivity | undefined {
  if (secret.test(name) || (shortSecret.test(name) && !idempotencyKey.test(name))) return 'secret'
  if (accountNumber.test(name)) return 'account number'
  return customer.test(name) ? 'customer' : undefined
}
