import { decimalOf } from '../../../../src/client/input/decimal.js'
import { InvalidInputError } from '../../../../src/index.js'
import * as z from '../../../../src/profile/zod-library.js'
import type { BooksEntry, BooksOpening } from './types.js'

const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))))
const decimal = z.string().check(z.refine((text) => decimalOf(text) !== undefined))
const money = z.object({ amount: decimal, currencyCode: z.string() })

const entrySchema = z.object({
  kind: z.enum(['payin', 'payout']),
  id: z.string(),
  status: z.exactOptional(z.string()),
  final: z.boolean(),
  since: time,
  payment: z.exactOptional(money),
  fee: z.exactOptional(money),
})

const openingSchema = z.object({
  version: z.literal(1),
  closedAt: time,
  balances: z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), decimal),
  payments: z.array(entrySchema),
})

/**
 * What the last close has returned as `next`, as it comes back from where it was kept.
 *
 * @param value parsed JSON.
 * @returns the same, checked, for `opening` of `closeBooks`.
 * @throws {InvalidInputError} for anything else: a file that is cut or was changed would look like money that is missing.
 * @example
 * const opening = readOpening(JSON.parse(await readFile('books.json', 'utf8')))
 */
export function readOpening(value: unknown): BooksOpening {
  return openingSchema.safeParse(value).data ?? refuse('opening')
}

/** One entry of it, or of what was handed to `onLookedUp`. */
export function readEntry(value: unknown, field: string): BooksEntry {
  return entrySchema.safeParse(value).data ?? refuse(field)
}

function refuse(field: string): never {
  throw new InvalidInputError(
    `closeBooks: ${field} is not what a close has returned; nothing was looked up and the books are as they were, so give it as it was kept, in whole.`,
    { field },
  )
}
