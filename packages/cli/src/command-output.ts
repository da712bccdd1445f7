import * as z from 'zod'

// What the commands print with --json. The package has it as dist/command-output.schema.json, and the tests of the
// commands hold every line to it. The commands take their types from it, and none loads it.

const text = z.string()
const time = text.describe('ISO 8601')
const count = z.int().nonnegative()
const money = z.object({
  amount: z.union([z.number(), text]).describe("in the currency's main unit"),
  currencyCode: text,
})

const check = z.object({
  check: text,
  verdict: z.enum(['ok', 'warn', 'fail', 'skip']),
  message: text.describe('one sentence'),
  fix: text.optional().describe('what to do'),
})

/** What support needs of a payment: nothing of the customer's account is in it. */
export const payment = z.object({
  kind: z.enum(['payin', 'payout']),
  id: text,
  status: text.optional().describe("the gateway's own word"),
  final: z.boolean(),
  money: money.optional(),
  fee: money.optional(),
  reference: text.optional(),
  createdAt: time.optional(),
  processedAt: time.optional(),
  expireAt: time.optional(),
  isTest: z.boolean().optional(),
})

export type PaymentAnswer = Readonly<z.infer<typeof payment>>

/** A command that failed. */
export const failure = z.object({
  error: z.object({
    code: text.describe('of the error (docs/errors.md), or usage, refused, unreachable or defect'),
    message: text.describe('one sentence'),
    exitCode: z.int(),
    status: z.int().optional().describe("HTTP status of the gateway's answer"),
    problems: z
      .array(z.object({ line: count, reason: text }))
      .optional()
      .describe('the first wrong lines of a file'),
  }),
})

export type Failure = Readonly<z.infer<typeof failure>['error']>

const counts = {
  payouts: count,
  waiting: count.describe('not sent'),
  unknown: count.describe('sent, and no answer says what became of it'),
  accepted: count.describe('accepted and not final'),
  paid: count,
  failed: count,
  refused: count.describe('refused, and not sent before'),
  look: count.describe('to look at before anything is paid or dropped'),
  conflict: count.describe('the id belongs to another payout'),
}

const sent = z.object({
  ...counts,
  results: text.describe('the file that keeps the answers'),
  reports: z.array(text),
  exitCode: z.int(),
  error: z.object({ code: text, message: text }).optional().describe('why it gave up'),
})

const refused = z.object({
  line: count.optional().describe('absent where the file has the line no more'),
  idPayout: text,
  amount: text.describe("decimal text in the currency's main unit"),
  currencyCode: text,
  payee: text.optional().describe('to whom it went, masked'),
  file: text.describe('name of the file'),
  run: text.optional().describe('when the run began that sent it'),
  state: text.describe('where it stands'),
  status: text.optional().describe("the gateway's own word"),
  reason: text.optional().describe('why it is not paid, where that is known'),
  fee: text.optional().describe('what the gateway took for it'),
  feeCurrencyCode: text.optional(),
  createdAt: time.optional(),
  processedAt: time.optional(),
  reference: text.optional().describe("the gateway's own"),
  advice: text.describe('what to do'),
})

/** A payout that a person has to look at. */
export type RefusedLine = Readonly<z.infer<typeof refused>>

const kind = z.enum(['payin', 'payout'])

const books = z.object({
  addsUp: z.boolean().describe('no currency has money that no known payment explains'),
  isFirst: z.boolean().describe('there was no opening: the balances are taken as they are'),
  currencies: z.array(
    z.object({
      currencyCode: text,
      opening: text.describe('decimal text, as all of them'),
      payins: text,
      payouts: text,
      fees: text,
      closing: text,
      unexplained: text.describe('what no known payment explains'),
    }),
  ),
  changed: z
    .array(z.object({ kind, id: text, before: text.optional(), now: text.optional() }))
    .describe('what changed after it was final'),
  open: z
    .array(z.object({ kind, id: text, status: text.optional(), ageMs: count }))
    .describe('what is not final, the oldest first'),
  files: z.object({
    next: text.describe('the opening of the next close'),
    table: text.describe('for an accountant, CSV'),
  }),
})

const life = z.object({
  kind,
  id: text,
  steps: z
    .array(z.object({ time, process: text, text: text.describe('what happened') }))
    .describe('by the log, in the order of time'),
  gateway: z
    .union([
      z.object({ state: z.literal('found'), payment, paid: z.boolean() }),
      z.object({ state: z.literal('missing') }),
      z.object({ state: z.literal('unanswered'), why: text }),
    ])
    .optional()
    .describe('what it shows now; absent without credentials'),
  money: text.describe('what it means for the money, one sentence'),
  advice: text.describe('what to do'),
})

const keyFiles = z.object({
  privateKeyFile: text,
  publicKeyFile: text,
  bits: count,
  fingerprint: text.describe('SHA-256 of the public key, hex'),
})

export type KeyFiles = Readonly<z.infer<typeof keyFiles>>

/** By command. */
export const outputs = {
  keygen: keyFiles,
  doctor: z.object({
    ok: z.boolean(),
    checks: z.array(check),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('with --pay: what this gateway needs of the client'),
  }),
  'payin get': payment,
  'payout get': payment,
  balances: z.object({
    balances: z.unknown().describe('as the gateway answered'),
    notReturned: z.array(text).optional().describe('currencies that the gateway left out'),
  }),
  'token inspect': z.object({
    header: z.record(z.string(), z.unknown()),
    claims: z.record(z.string(), z.unknown()),
    issuedAt: time.optional(),
    expiresAt: time.optional(),
    expired: z.boolean().optional(),
    verified: z.literal(false),
  }),
  'payouts send': sent,
  'payouts status': z.object(counts),
  'payouts refused': refused.describe('one line for each payout that a person has to look at'),
  'payouts report': z.object({ reports: z.array(text) }),
  'books close': books,
  explain: life.describe('one line for each payment of this id'),
  'signer verify': z.union([
    z.object({ ok: z.literal(true), lines: count, hash: text.describe('of the last line') }),
    z.object({ ok: z.literal(false), line: count.describe('the first that is wrong'), why: text }),
  ]),
}
