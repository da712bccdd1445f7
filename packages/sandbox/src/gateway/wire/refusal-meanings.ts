/** What a refusal means, and how to fix it. */
export interface RefusalMeaning {
  /** Null where the gateway's own sentence says it best: it names the field. */
  readonly what: string | null
  readonly fix: string
}

const correct = 'Correct what the sentence names and send the request again; nothing was accepted.'
const ofAList =
  'Take a code of the list; nothing was accepted. A list of your gateway’s own is set by options of the sandbox: payinMethods, paymentOperators, balances; with mistakes: ‘note’ every code is taken.'
const newToken =
  'Ask for a new token and send the request again. The client does so by itself, once for each call.'

/** Every code with which the gateway refuses, and what the page says of it. */
export const refusalMeanings = {
  // 400
  INVALID_JSON: { what: null, fix: 'Send one JSON object in UTF-8, without a byte order mark.' },
  INVALID_MERCHANT_CODE: { what: null, fix: 'Put the merchant code of your contract into the body.' },
  INVALID_ACTION: { what: null, fix: correct },
  INVALID_ID_PAYMENT: { what: null, fix: 'Name the one payment that the token is for.' },
  INVALID_OPERATIONS: {
    what: null,
    fix: 'Write operations as “POST /payins/order-1”: a method, one space and the pattern of a path.',
  },
  INVALID_VALIDITY: { what: null, fix: correct },
  INVALID_TIMESTAMP: { what: null, fix: correct },
  INVALID_MONEY: {
    what: null,
    fix: 'Send the amount as a number above 0, and the currency as three letters.',
  },
  INVALID_PAYMENT: { what: null, fix: correct },
  UNKNOWN_METHOD: { what: null, fix: ofAList },
  UNKNOWN_OPERATOR: { what: null, fix: ofAList },
  UNKNOWN_CURRENCY: { what: null, fix: ofAList },
  BALANCE_TOO_LOW: { what: null, fix: 'Send less, or set the balance under “Balances”.' },
  INVALID_ID: {
    what: null,
    fix: 'Use an id that is not empty and does not begin with “!”, percent-encoded in the path.',
  },
  TOKEN_TOO_LARGE: { what: null, fix: 'Ask for fewer or shorter operations, or for several tokens.' },

  // 401, while asking for a token
  SIGNATURE_MISSING: {
    what: 'Nothing proves who asks: neither a signature nor a secret was sent.',
    fix: 'Sign the bytes of the body with the private key and send the signature as X-SIGNATURE. For the client: set privateKey.',
  },
  SIGNATURE_MALFORMED: {
    what: 'The signature is not Base64.',
    fix: 'Send SHA256withRSA over the bytes of the body, as Base64 in one line.',
  },
  SIGNATURE_INVALID: {
    what: 'Wrong key: the signature fits no public key of this merchant, or another body.',
    fix: 'Sign with the private key whose public key the gateway has, and sign the very bytes that are sent. For a sandbox: take the key of sandbox.clientOptions(), or start it with --public-key.',
  },
  BODY_NOT_MINIFIED: {
    what: 'The signed body has spaces or line breaks that mean nothing.',
    fix: 'Write the JSON once and without indentation, sign those bytes, and send the same bytes.',
  },
  SIGNATURE_SEEN: {
    what: 'This very request has been sent before.',
    fix: 'Sign each request for a token anew, with a new timestamp.',
  },
  SECRET_INVALID: {
    what: 'Wrong secret: it is not that of this merchant.',
    fix: 'Set the merchant’s secret, or better a private key: the secret is deprecated.',
  },
  MERCHANT_UNKNOWN: {
    what: 'Wrong merchant code: the gateway knows no such merchant.',
    fix: 'Set merchantCode to the code of your contract. For a sandbox: “How to create a payment” shows its code.',
  },
  TIMESTAMP_MISSING: {
    what: 'The signed body has no timestamp.',
    fix: 'Put the time into the body as an integer, in the unit that the gateway expects.',
  },
  TIMESTAMP_OUT_OF_RANGE: {
    what: 'The timestamp is too far from the gateway’s clock.',
    fix: 'Set the clock of the machine right. If it is right, seconds and milliseconds are mixed up: set timestampUnit.',
  },

  // 401 and 403, with a token
  TOKEN_MISSING: {
    what: 'The request has no access token.',
    fix: 'Send the header Authorization: Bearer <token>. The client does so by itself.',
  },
  TOKEN_INVALID: {
    what: 'The access token is not one of this gateway.',
    fix: `A sandbox forgets its tokens when it ends. ${newToken}`,
  },
  TOKEN_EXPIRED: { what: 'The access token has expired.', fix: newToken },
  TOKEN_REVOKED: { what: 'The access token has been revoked.', fix: newToken },
  OUT_OF_SCOPE: {
    what: null,
    fix: 'Ask for a token that allows it: its operations, its action and payment, or its amount have to fit this request.',
  },

  // 404 to 429
  VERSION_UNSUPPORTED: {
    what: 'The header X-API-Version is missing or not 2.',
    fix: 'Send X-API-Version: 2 with every request.',
  },
  NOT_FOUND: {
    what: 'The gateway has no such endpoint.',
    fix: 'Compare the path with the interface, and see whether the base URL has a piece too many or too few.',
  },
  PAYMENT_NOT_FOUND: {
    what: 'The gateway knows no payment with this id.',
    fix: 'Compare the id. After a create without a response this proves nothing: send the same create again, with the same id.',
  },
  METHOD_NOT_ALLOWED: { what: null, fix: 'Use a method that the endpoint takes.' },
  NOT_ACCEPTABLE: {
    what: 'The header Accept: application/json is missing.',
    fix: 'Send Accept: application/json with every request.',
  },
  ALREADY_ACCEPTED: {
    what: 'A payment with this id has been accepted before.',
    fix: 'Request its status by its id and go on with it. Never create it under another id.',
  },
  BODY_TOO_LARGE: { what: 'The body is larger than the gateway takes.', fix: 'Send a smaller body.' },
  UNSUPPORTED_MEDIA_TYPE: {
    what: 'The body did not come as JSON in UTF-8.',
    fix: 'Send Content-Type: application/json, and no Content-Encoding.',
  },
  TOO_MANY_REQUESTS: {
    what: 'Too many requests in a second; this one was not processed.',
    fix: 'Wait as long as Retry-After says, or a second, and send it again. All that share the merchant code count together.',
  },

  // 500
  SANDBOX_DEFECT: {
    what: null,
    fix: 'This is no response of a gateway: look at the function that was given to the sandbox, or report a defect of the sandbox.',
  },
} satisfies Readonly<Record<string, RefusalMeaning>>

export type RefusalCode = keyof typeof refusalMeanings
