import * as z from 'zod'
import { payment } from '../../../cli/src/command-output.js'

// What the commands print with --json: see packages/cli/src/command-output.ts.

const text = z.string()
const ms = z.number().nonnegative().describe('milliseconds')

const sent = z.object({
  tookMs: ms,
  status: z.int().optional().describe('HTTP status of your handler'),
  problem: text.optional().describe('why there was no answer'),
})

/** How one callback was answered. */
export type Sent = Readonly<z.infer<typeof sent>>

/** What a client has to know of the sandbox. */
const served = z.object({
  baseUrl: text,
  merchantCode: text,
  timestampUnit: z.enum(['seconds', 'milliseconds']),
  privateKeyFile: text.optional().describe('absent with --public-key'),
  page: text.optional().describe('absent with --no-page'),
})

export type Served = Readonly<z.infer<typeof served>>

const rehearsed = z.object({
  name: text,
  title: text,
  outcome: z.enum(['right', 'wrong', 'not yet', 'could not tell', 'not played']),
  sentence: text.describe('such as "two payments: the application made a new id after the 500"'),
  rule: text.optional().describe('what was broken, in one sentence'),
  hint: text.optional().describe('what to look at before the code is changed'),
  fix: z.array(text).optional().describe('lines of pseudo-code'),
  advice: z.array(text).describe('the rule, the hint and the fix in lines for a person'),
  cart: z.int().optional().describe('absent where nothing was played'),
  acts: z.array(
    z.object({
      end: z.enum(['done', 'failed', 'too slow']),
      says: text.describe('such as "answered 502"'),
      at: z.number().describe("milliseconds since 1970, by the gateway's clock"),
      tookMs: ms,
    }),
  ),
  payments: z
    .array(
      z.object({
        id: text,
        kind: z.enum(['payin', 'payout']),
        status: text,
        money: z.object({ amount: z.union([z.number(), text]), currencyCode: text }),
      }),
    )
    .describe('what the gateway holds for the cart'),
  history: z.array(
    z.object({
      atMs: z.number().describe('milliseconds from the beginning of the case'),
      who: z.enum(['customer', 'application', 'gateway']),
      text,
    }),
  ),
  told: z.array(text).describe('the history in lines for a person'),
  tookMs: ms,
})

/** By command. */
export const outputs = {
  '': z
    .union([
      served,
      z
        .object({
          at: z.number().describe('milliseconds since 1970'),
          method: text,
          path: text,
          status: z.int().optional(),
          meaning: text,
          tookMs: ms,
          fault: text.optional(),
        })
        .describe('a request, with --log'),
    ])
    .describe('without a command: serves the gateway'),
  rehearse: z.union([
    z.object({
      ok: z.boolean(),
      kind: z.enum(['payin', 'payout']).optional(),
      cases: z.array(rehearsed),
    }),
    z.object({ cases: z.array(z.object({ name: text, title: text })) }).describe('with --list'),
  ]),
  'callback send': sent.describe('one line for each callback'),
  listen: z.union([
    z.object({ listening: text, forwardTo: text }).describe('the first line'),
    sent.extend({ about: text.describe('kind and id of the payment') }),
  ]),
  trigger: payment.extend({ case: text }),
  control: z.unknown().describe("what the sandbox's control interface answers"),
}
