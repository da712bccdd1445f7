import { customersFields } from '../client/profile/customers-fields.js'
import type { GatewayProfile } from '../client/profile/gateway-profile.js'
import type { Shape } from '../client/profile/shape.js'
import * as z from './zod-library.js'

// What zod finds wrong is said in these words, behind the place where it stands. They repeat nothing of a profile.

/** Nothing that reaches a prototype when somebody copies it. */
const harmless = String.raw`(?!(?:__proto__|constructor|prototype)(?:[?]?$|\.))`
/** The same of each part of a path. */
const harmlessParts = String.raw`(?!(?:[^.]*\.)*(?:__proto__|constructor|prototype)(?:$|\.))`
const name = String.raw`[A-Za-z_$][\w.$\-]{0,63}`
const kind = '(?:boolean|number|string|text|null)'

const text = (pattern: string) =>
  z
    .string('must be a text')
    .check(z.regex(new RegExp(pattern, 'u'), "holds characters that don't belong there"))

/** By characters, as JSON Schema counts them. */
const atMost = (maxLength: number) =>
  z.refine<string>((value) => value.length <= maxLength || [...value].length <= maxLength, {
    error: `must have at most ${maxLength} characters`,
  })

const shortText = (pattern: string, maxLength = 300) =>
  text(pattern).check(atMost(maxLength), z.meta({ maxLength }))

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.int(error).check(z.gte(least, error), z.lte(most, error))
}

const oneOf = <const Texts extends readonly string[]>(...texts: Texts) =>
  z.enum(texts, `must be one of ${texts.join(', ')}`)

const yesNo = () => z.boolean('must be true or false')

const list = <Entry extends z.ZodMiniType>(entry: Entry, maxItems: number) =>
  z.array(entry, 'must be a list').check(z.maxLength(maxItems, `must have at most ${maxItems} entries`))

/** Fields whose names are data. */
const fieldsNamed = <Value extends z.ZodMiniType>(pattern: string, value: Value, maxProperties: number) =>
  z.record(z.string().check(z.regex(new RegExp(pattern, 'u'))), value).check(
    z.refine((fields) => Object.keys(fields).length <= maxProperties, {
      error: `must have at most ${maxProperties} fields`,
    }),
    z.meta({ maxProperties }),
  )

/** A field that may be absent. */
const field = <Value extends z.ZodMiniType>(value: Value, description: string) =>
  z.optional(value).check(z.describe(description))

const path = () => shortText(`^${harmlessParts}${name}$`)

const isCustomers = new RegExp(customersFields, 'i')
/** JSON Schema knows no pattern for both cases. */
const anyCase = (pattern: string) =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** The place of a field that no customer writes. */
const ownPath = () =>
  path().check(
    z.refine((value) => !isCustomers.test(value), {
      error: 'names a field that customers write, and what they write there is no status',
    }),
    z.meta({ not: { pattern: anyCase(customersFields) } }),
  )

const shape: z.ZodMiniType<Shape> = z
  .union([
    shortText(`^(?:any|${kind}(?:[|]${kind})*)$`, 60),
    z.lazy(() => list(shape, 1)),
    z.lazy(() => fieldsNamed(`^(?:[*]|${harmless}${name}[?]?)$`, shape, 500)),
  ])
  .check(
    z.meta({
      id: 'shape',
      description:
        'What a JSON value is made of. A field whose name ends in ? was not always there, * stands for fields whose names are data, a list has one entry or was seen empty, text is a body that is no JSON.',
    }),
  )

const mediaType = () => shortText(String.raw`^[\w.+\-]+/[\w.+\-]+$`, 100)

const answer = z
  .object({
    status: wholeNumber(100, 599).check(z.describe('HTTP status.')),
    contentType: field(mediaType(), 'Media type without parameters.'),
    body: field(shape, 'The body; absent where it was empty.'),
  })
  .check(z.meta({ id: 'answer', description: 'One answer: its status, and what its body is made of.' }))

const tokens = z
  .object({
    format: field(
      oneOf('json', 'json-string', 'text'),
      'A field of a JSON answer, the answer as one JSON string, or a text.',
    ),
    field: field(path(), 'Where the token stands in a JSON answer, with dots for depth.'),
    claims: field(
      list(text(`^(?:[*]|${harmless}${name})$`), 200),
      "Names of the token's claims; absent where it is no JWT.",
    ),
    statesItsEnd: field(yesNo(), 'Whether the token itself says when it ends.'),
    longestValiditySecs: field(
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
      'The longest validitySecs that was taken; none above a day is asked for.',
    ),
    timestampUnit: field(oneOf('seconds', 'milliseconds'), 'The unit of timestamp.'),
    repeatedRequest: field(
      oneOf('taken', 'refused'),
      'Whether a token request is taken twice, byte for byte.',
    ),
    idsInOperations: field(oneOf('percent-encoded', 'decoded'), 'How an id stands in operations.'),
    moneyLimit: field(
      oneOf('kept', 'ignored'),
      "Whether a token's money limit keeps it from a payout of another amount.",
    ),
    idLimit: field(oneOf('kept', 'ignored'), 'Whether a token for one payout makes no other one.'),
  })
  .check(z.meta({ id: 'tokens', description: 'Token requests and what answers them (sections 2 and 5).' }))

const payments = z
  .object({
    statusField: field(
      ownPath(),
      'Where the status stands in the answer to a look-up, with dots for depth; never a field that customers write.',
    ),
    processedAtField: field(
      ownPath(),
      'Where the time of processing stands; absent where none was seen. Never a field that customers write.',
    ),
    statuses: field(
      fieldsNamed(
        String.raw`^${harmless}[\p{L}\p{N}_][\p{L}\p{N} _.:\-]{0,63}$`,
        oneOf('final', 'passing', 'unclear'),
        100,
      ),
      'Each status that was seen, and whether a payment stayed in it.',
    ),
  })
  .check(
    z.meta({
      id: 'payments',
      description: 'How payments of one kind show where they stand (section 3).',
    }),
  )

const refusals = z.object({
  'api-version-missing': z.exactOptional(answer),
  'path-unknown': z.exactOptional(answer),
  'signature-wrong': z.exactOptional(answer),
  'validity-too-long': z.exactOptional(answer),
  'token-missing': z.exactOptional(answer),
  'token-wrong': z.exactOptional(answer),
  'token-not-allowed': z.exactOptional(answer),
  'body-not-json': z.exactOptional(answer),
  'money-missing': z.exactOptional(answer),
  'amount-wrong': z.exactOptional(answer),
  'payin-unknown': z.exactOptional(answer),
  'payout-unknown': z.exactOptional(answer),
  'id-repeated': z.exactOptional(answer),
  'rate-exceeded': z.exactOptional(answer),
})

const rate = z
  .object({
    counted: field(
      oneOf('in-windows', 'evenly-spaced'),
      'Ten at once are taken, or only one after another; absent where it could not be told.',
    ),
    retryAfter: field(oneOf('seconds', 'date', 'absent'), 'Whether a 429 says when to come back, and how.'),
    takenAtOnce: field(wholeNumber(0, 11), 'How many of eleven requests at once were taken.'),
    takenInARow: field(
      wholeNumber(0, 8),
      'How many of eight requests were taken that came an eighth of a second after each other.',
    ),
  })
  .check(z.meta({ id: 'rate', description: 'How requests are counted (section 8).' }))

const callbacks = z
  .object({
    method: field(text('^[A-Z]{3,10}$'), 'HTTP method.'),
    headers: field(
      list(text(String.raw`^[a-z][a-z\d_\-]{0,63}$`), 100),
      'Names of the headers, in lower case and sorted, without those that every request has.',
    ),
    contentType: field(mediaType(), 'Media type without parameters.'),
    body: field(shape, 'The body; absent where it was empty.'),
    tries: field(
      wholeNumber(0, 10_000),
      'How often a callback came that was answered with 500 each time; 0 where none came.',
    ),
    secondsBetweenTries: field(
      list(wholeNumber(0, 10_000_000), 10_000),
      'From one of these tries to the next, in whole seconds.',
    ),
  })
  .check(z.meta({ id: 'callbacks', description: 'What callbacks look like (section 6).' }))

const balances = z
  .object({
    pendingPayins: field(yesNo(), 'Whether a payin is in the balance before it has succeeded.'),
    pendingPayouts: field(yesNo(), 'Whether a payout is taken from the balance before it has succeeded.'),
    fees: field(
      oneOf('with-payment', 'kept', 'apart'),
      'Whether fees are taken and given back with the payment, taken and kept, or not in these balances.',
    ),
  })
  .check(z.meta({ id: 'balances', description: 'What the balances count, and when (section 4).' }))

const profile = z.object({
  $schema: field(shortText(String.raw`^[^\p{Cc}\s]+$`), 'Where the JSON schema of this file is.'),
  profileVersion: z
    .literal(1, 'must be 1, the version of the format that this package knows')
    .check(z.describe('The version of this format.')),
  tokens: field(tokens, 'Token requests and what answers them.'),
  payins: field(payments, 'How payins show where they stand.'),
  payouts: field(payments, 'How payouts show where they stand.'),
  answers: field(
    fieldsNamed(String.raw`^[A-Z]{3,10} /[\w!{}/.~%\-]{0,200}$`, answer, 100),
    'The answer to each endpoint that succeeded, by method and path template, such as POST /payins/{idPayin}.',
  ),
  refusals: field(refusals, 'The answer to each thing that can be wrong with a request (section 7).'),
  rate: field(rate, 'How requests are counted.'),
  callbacks: field(callbacks, 'What callbacks look like.'),
  balances: field(balances, 'What the balances count, and when.'),
  customerAccountPath: field(
    shortText(String.raw`^/[^\s?#\\{}]*\{idPayin\}[^\s?#\\{}]*$`),
    'The path of customer account data, with {idPayin} in it (section 4).',
  ),
  notSeen: field(
    fieldsNamed(String.raw`^${harmless}[A-Za-z][\w .\/\-]{0,63}$`, shortText(String.raw`^[^\p{Cc}]+$`), 100),
    'What could not be seen, and why.',
  ),
})

/** The names that the format gives: an error may show these, and no other name of a file. */
export const namesOfFormat: ReadonlySet<string> = new Set(
  [profile, tokens, payments, answer, refusals, rate, callbacks, balances].flatMap(({ shape }) =>
    Object.keys(shape),
  ),
)

/** Whether two types are one: every field, and whether it may be absent. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** What a schema gives, as the interface writes it: nobody changes a profile. */
type ReadOnly<T> = T extends string | number | boolean | undefined
  ? T
  : { readonly [Name in keyof T]: Name extends 'body' ? T[Name] : ReadOnly<T[Name]> }

/**
 * The interface is written by hand, so that the declarations that users get know nothing of zod. Where the schema
 * describes anything else, a second argument is missing that nobody has.
 */
function tiedTo<T>(): <S extends z.ZodMiniType>(
  schema: S,
  ...differs: Same<ReadOnly<z.infer<S>>, T> extends true ? [] : ['the schema describes another type']
) => S {
  return (schema, ..._differs) => schema
}

/** What profiles are read by, and what their JSON schema is made of. */
export const profileSchema = tiedTo<GatewayProfile>()(profile)
