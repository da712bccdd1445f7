import { customersFields } from '../client/profile/customers-fields.js'
import type {
  AnswerProfile,
  CallbackProfile,
  GatewayProfile,
  PaymentProfile,
  RateProfile,
  RefusalCase,
  TokenProfile,
} from '../client/profile/gateway-profile.js'

/** The words of JSON Schema that the format is written in. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly description?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly const?: string | number
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema
  readonly maxProperties?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly not?: { readonly pattern: string }
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/** The properties of an interface, all of them and no other. */
type Properties<T> = Record<keyof T, JsonSchema>

/** Nothing that reaches a prototype when somebody copies it. */
const harmless = String.raw`(?!(?:__proto__|constructor|prototype)(?:[?]?$|\.))`
const name = String.raw`[A-Za-z_$][\w.$\-]{0,63}`
const kind = '(?:boolean|number|string|text|null)'

const oneOf = (description: string, ...texts: readonly string[]): JsonSchema => ({ description, enum: texts })
const text = (description: string, pattern: string, maxLength = 300): JsonSchema => ({
  description,
  type: 'string',
  pattern,
  maxLength,
})
/** The same of each part of a path. */
const harmlessParts = String.raw`(?!(?:[^.]*\.)*(?:__proto__|constructor|prototype)(?:$|\.))`
const path = (description: string) => text(description, `^${harmlessParts}${name}$`)
/** JSON Schema knows no pattern for both cases. */
const anyCase = (pattern: string) =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
const placeOfItsOwn = (description: string): JsonSchema => ({
  ...path(description),
  not: { pattern: anyCase(customersFields) },
})
const part = (description: string, to: string): JsonSchema => ({ description, $ref: `#/$defs/${to}` })
const object = <T>(description: string, properties: Properties<T>, ...required: (keyof T & string)[]) =>
  ({ description, type: 'object', properties, ...(required.length > 0 && { required }) }) as const

const refusalCases = [
  'api-version-missing',
  'path-unknown',
  'signature-wrong',
  'validity-too-long',
  'token-missing',
  'token-wrong',
  'token-not-allowed',
  'body-not-json',
  'money-missing',
  'amount-wrong',
  'payin-unknown',
  'payout-unknown',
  'id-repeated',
  'rate-exceeded',
] as const satisfies readonly RefusalCase[]

const answer = object<AnswerProfile>(
  'One answer: its status, and what its body is made of.',
  {
    status: { description: 'HTTP status.', type: 'integer', minimum: 100, maximum: 599 },
    contentType: text('Media type without parameters.', String.raw`^[\w.+\-]+/[\w.+\-]+$`, 100),
    body: part('The body; absent where it was empty.', 'shape'),
  },
  'status',
)

const tokens = object<TokenProfile>('Token requests and what answers them (sections 2 and 5).', {
  format: oneOf(
    'A field of a JSON answer, the answer as one JSON string, or a text.',
    'json',
    'json-string',
    'text',
  ),
  field: path('Where the token stands in a JSON answer, with dots for depth.'),
  claims: {
    description: "Names of the token's claims; absent where it is no JWT.",
    type: 'array',
    items: { type: 'string', pattern: `^(?:[*]|${harmless}${name})$` },
    maxItems: 200,
  },
  statesItsEnd: { description: 'Whether the token itself says when it ends.', type: 'boolean' },
  longestValiditySecs: {
    description: 'The longest validitySecs that was taken; none above a day is asked for.',
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  timestampUnit: oneOf('The unit of timestamp.', 'seconds', 'milliseconds'),
  repeatedRequest: oneOf('Whether a token request is taken twice, byte for byte.', 'taken', 'refused'),
  idsInOperations: oneOf('How an id stands in operations.', 'percent-encoded', 'decoded'),
})

const payments = object<PaymentProfile>('How payments of one kind show where they stand (section 3).', {
  statusField: placeOfItsOwn(
    'Where the status stands in the answer to a look-up, with dots for depth; never a field that customers write.',
  ),
  processedAtField: placeOfItsOwn('Where the time of processing stands; absent where none was seen.'),
  statuses: {
    description: 'Each status that was seen, and whether a payment stayed in it.',
    type: 'object',
    propertyNames: { pattern: String.raw`^${harmless}[\p{L}\p{N}_][\p{L}\p{N} _.:\-]{0,63}$` },
    additionalProperties: { enum: ['final', 'passing', 'unclear'] },
    maxProperties: 100,
  },
})

const rate = object<RateProfile>('How requests are counted (section 8).', {
  counted: oneOf(
    'Ten at once are taken, or only one after another; absent where it could not be told.',
    'in-windows',
    'evenly-spaced',
  ),
  retryAfter: oneOf('Whether a 429 says when to come back, and how.', 'seconds', 'date', 'absent'),
  takenAtOnce: {
    description: 'How many of eleven requests at once were taken.',
    type: 'integer',
    minimum: 0,
    maximum: 11,
  },
})

const callbacks = object<CallbackProfile>('What callbacks look like (section 6).', {
  method: text('HTTP method.', '^[A-Z]{3,10}$'),
  headers: {
    description: 'Names of the headers, in lower case and sorted, without those that every request has.',
    type: 'array',
    items: { type: 'string', pattern: String.raw`^[a-z][a-z\d_\-]{0,63}$` },
    maxItems: 100,
  },
  contentType: text('Media type without parameters.', String.raw`^[\w.+\-]+/[\w.+\-]+$`, 100),
  body: part('The body; absent where it was empty.', 'shape'),
  tries: {
    description: 'How often a callback came that was answered with 500 each time; 0 where none came.',
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
  },
  secondsBetweenTries: {
    description: 'From one of these tries to the next, in whole seconds.',
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: 10_000_000 },
    maxItems: 10_000,
  },
})

const profile = object<GatewayProfile>(
  'What a gateway was seen to do where the specification leaves it open: names, types and statuses.',
  {
    $schema: text('Where the JSON schema of this file is.', String.raw`^[^\p{Cc}\s]+$`),
    profileVersion: { description: 'The version of this format.', const: 1 },
    tokens: part('Token requests and what answers them.', 'tokens'),
    payins: part('How payins show where they stand.', 'payments'),
    payouts: part('How payouts show where they stand.', 'payments'),
    answers: {
      description:
        'The answer to each endpoint that succeeded, by method and path template, such as POST /payins/{idPayin}.',
      type: 'object',
      propertyNames: { pattern: String.raw`^[A-Z]{3,10} /[\w!{}/.~%\-]{0,200}$` },
      additionalProperties: { $ref: '#/$defs/answer' },
      maxProperties: 100,
    },
    refusals: {
      description: 'The answer to each thing that can be wrong with a request (section 7).',
      type: 'object',
      properties: Object.fromEntries(refusalCases.map((one) => [one, { $ref: '#/$defs/answer' }])),
    },
    rate: part('How requests are counted.', 'rate'),
    callbacks: part('What callbacks look like.', 'callbacks'),
    customerAccountPath: text(
      'The path of customer account data, with {idPayin} in it (section 4).',
      String.raw`^/[^\s?#\\{}]*\{idPayin\}[^\s?#\\{}]*$`,
    ),
    notSeen: {
      description: 'What could not be seen, and why.',
      type: 'object',
      propertyNames: { pattern: String.raw`^${harmless}[A-Za-z][\w .\/\-]{0,63}$` },
      additionalProperties: { type: 'string', pattern: String.raw`^[^\p{Cc}]+$`, maxLength: 300 },
      maxProperties: 100,
    },
  },
  'profileVersion',
)

/** The format of a profile as a JSON schema: what is published, and what profiles are read by. */
export const profileSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:merchant-gateway:gateway-profile:1',
  title: 'Profile of a payment gateway',
  ...profile,
  $defs: {
    tokens,
    payments,
    answer,
    rate,
    callbacks,
    shape: {
      description:
        'What a JSON value is made of. A field whose name ends in ? was not always there, * stands for fields whose names are data, a list has one entry or was seen empty, text is a body that is no JSON.',
      anyOf: [
        { type: 'string', pattern: `^(?:any|${kind}(?:[|]${kind})*)$`, maxLength: 60 },
        { type: 'array', items: { $ref: '#/$defs/shape' }, maxItems: 1 },
        {
          type: 'object',
          propertyNames: { pattern: `^(?:[*]|${harmless}${name}[?]?)$` },
          additionalProperties: { $ref: '#/$defs/shape' },
          maxProperties: 500,
        },
      ],
    },
  },
}
