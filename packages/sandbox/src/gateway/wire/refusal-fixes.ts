const correct = 'Correct what the sentence names and send the request again; nothing was accepted.'
const ofAList =
  'Take a code of the list; nothing was accepted. A list of your gateway’s own is set by options of the sandbox: payinMethods, paymentOperators, balances; with mistakes: ‘note’ every code is taken.'
const newToken =
  'Ask for a new token and send the request again. The client does so by itself, once for each call.'

/** How a refusal is fixed, by every code with which the gateway refuses. What it means is in the refusal's own sentence. */
export const refusalFixes = {
  // 400
  INVALID_JSON: 'Send one JSON object in UTF-8, without a byte order mark.',
  INVALID_MERCHANT_CODE: 'Put the merchant code of your contract into the body.',
  INVALID_ACTION: correct,
  INVALID_ID_PAYMENT: 'Name the one payment that the token is for.',
  INVALID_OPERATIONS:
    'Write operations as “POST /payins/order-1”: a method, one space and the pattern of a path.',
  INVALID_VALIDITY: correct,
  INVALID_TIMESTAMP: correct,
  INVALID_MONEY: 'Send the amount as a number above 0, and the currency as three letters.',
  INVALID_PAYMENT: correct,
  UNKNOWN_METHOD: ofAList,
  UNKNOWN_OPERATOR: ofAList,
  UNKNOWN_CURRENCY: ofAList,
  BALANCE_TOO_LOW: 'Send less, or set the balance under “Balances”.',
  INVALID_ID: 'Use an id that is not empty and does not begin with “!”, percent-encoded in the path.',
  TOKEN_TOO_LARGE: 'Ask for fewer or shorter operations, or for several tokens.',

  // 401, while asking for a token
  SIGNATURE_MISSING:
    'Sign the bytes of the body with the private key and send the signature as X-SIGNATURE. For the client: set privateKey.',
  SIGNATURE_MALFORMED: 'Send SHA256withRSA over the bytes of the body, as Base64 in one line.',
  SIGNATURE_INVALID:
    'Sign with the private key whose public key the gateway has, and sign the very bytes that are sent. For a sandbox: take the key of sandbox.clientOptions(), or start it with --public-key.',
  BODY_NOT_MINIFIED:
    'Write the JSON once and without indentation, sign those bytes, and send the same bytes.',
  SIGNATURE_SEEN: 'Sign each request for a token anew, with a new timestamp.',
  SECRET_INVALID: 'Set the merchant’s secret, or better a private key: the secret is deprecated.',
  MERCHANT_UNKNOWN:
    'Set merchantCode to the code of your contract. For a sandbox: “How to create a payment” shows its code.',
  TIMESTAMP_MISSING: 'Put the time into the body as an integer, in the unit that the gateway expects.',
  TIMESTAMP_OUT_OF_RANGE:
    'Set the clock of the machine right. If it is right, seconds and milliseconds are mixed up: set timestampUnit.',

  // 401 and 403, with a token
  TOKEN_MISSING: 'Send the header Authorization: Bearer <token>. The client does so by itself.',
  TOKEN_INVALID: `A sandbox forgets its tokens when it ends. ${newToken}`,
  TOKEN_EXPIRED: newToken,
  TOKEN_REVOKED: newToken,
  OUT_OF_SCOPE:
    'Ask for a token that allows it: its operations, its action and payment, or its amount have to fit this request.',

  // 404 to 429
  VERSION_UNSUPPORTED: 'Send X-API-Version: 2 with every request.',
  NOT_FOUND:
    'Compare the path with the interface, and see whether the base URL has a piece too many or too few.',
  PAYMENT_NOT_FOUND:
    'Compare the id. After a create without a response this proves nothing: send the same create again, with the same id.',
  METHOD_NOT_ALLOWED: 'Use a method that the endpoint takes.',
  NOT_ACCEPTABLE: 'Send Accept: application/json with every request.',
  ALREADY_ACCEPTED: 'Request its status by its id and go on with it. Never create it under another id.',
  BODY_TOO_LARGE: 'Send a smaller body.',
  UNSUPPORTED_MEDIA_TYPE: 'Send Content-Type: application/json, and no Content-Encoding.',
  TOO_MANY_REQUESTS:
    'Wait as long as Retry-After says, or a second, and send it again. All that share the merchant code count together.',

  // 500
  SANDBOX_DEFECT:
    'This is no response of a gateway: look at the function that was given to the sandbox, or report a defect of the sandbox.',
} satisfies Readonly<Record<string, string>>

export type RefusalCode = keyof typeof refusalFixes
