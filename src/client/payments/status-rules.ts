import { notAnOptionOf, type Shape, strict } from '../input/check.js'
import { listOf, textLike } from '../input/kinds.js'
import { optional } from '../input/zod.js'

/**
 * What the statuses of your gateway mean, where the specification leaves it open (section 3): `isPaid`, `isFinal` and
 * `statusOf` follow it for every payment that the client finds.
 */
export interface StatusRules {
  /** Where a payment shows its status, with dots for depth. Default `process.status`, where a payout is read in any case. */
  field?: string | undefined
  /** Where it shows when it was processed; `createdAt` is looked for beside it. Default `process.processedAt`. */
  processedAtField?: string | undefined
  /** Statuses of a payment whose money has moved, beside SUCCESS. They are final, too. */
  paid?: readonly string[] | undefined
  /** Statuses of a payment that is over without that. */
  final?: readonly string[] | undefined
}

const place = textLike('a place such as "state" or "process.status"', /^(?=.{1,200}$)[^.\s]+(?:\.[^.\s]+)*$/)

/** Without a blank at an end: no gateway writes one, and no status would be this one. */
const status = /^(?!\s)\P{Cc}{1,64}(?<!\s)$/u

const statuses = listOf('a list of statuses, texts of 1 to 64 characters such as ["COMPLETED"]', (expected) =>
  textLike(expected, status),
)

/** The option `statuses`: plain data, and no name in it that is not known. */
export const statusRules = strict(
  {
    field: optional(place),
    processedAtField: optional(place),
    paid: optional(statuses),
    final: optional(statuses),
  } satisfies Shape<StatusRules>,
  notAnOptionOf('statuses'),
  'must be an object such as {"paid":["COMPLETED"],"final":["FAILED"]}',
)
