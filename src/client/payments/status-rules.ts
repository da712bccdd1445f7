import { ConfigurationError } from '../errors.js'
import { endSentence, is, optionWords, type Row, type Rows, read, type Words } from '../input/reader.js'

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

const place = is<string>(
  'a place such as "state" or "process.status"',
  (value) => typeof value === 'string' && value.length <= 200 && /^[^.\s]+(?:\.[^.\s]+)*$/.test(value),
)

const list = is<readonly string[]>(
  'a list of statuses, texts of 1 to 64 characters such as ["COMPLETED"]',
  (value) => Array.isArray(value) && value.every(isStatus),
)

function isStatus(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length <= 64 && value.trim() === value && /^[^\p{Cc}]+$/u.test(value)
  )
}

const rows = { field: place, processedAtField: place, paid: list, final: list } satisfies Rows<StatusRules>

const expected = 'an object such as {"paid":["COMPLETED"],"final":["FAILED"]}'

/**
 * The option `statuses`: plain data, and no name in it that is not known.
 *
 * @param name what it is called where it was given.
 * @throws naming what is unknown or wrong ({@link ConfigurationError}).
 */
export function readStatusRules(value: unknown, name: string): StatusRules {
  const refuse = (place: string, why: string) =>
    new ConfigurationError(endSentence(`${place} ${why}`, '.'), { option: 'statuses' })
  const words: Words = {
    ...optionWords(ConfigurationError, name, ''),
    refuse,
    needsObject: () => refuse(name, `must be ${expected}`),
  }
  return read(value, rows, words, `${name}.`)
}

export const statusRules: Row<StatusRules | undefined> = {
  expected,
  read: (value, name) => (value === undefined ? undefined : readStatusRules(value, name)),
}
