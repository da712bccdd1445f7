import { type Micros, microsOf } from './money.js'

/** What a person approved: the money of one payout, and when, in milliseconds since 1970. */
export interface Approval {
  readonly amount: Micros | undefined
  readonly currencyCode: string
  readonly at: number
}

/** What `approve` adds to the file: on a line of its own, also where a crash has left half a line. */
export function approvalLine(id: string, amount: string, currencyCode: string, nowMs: number): string {
  return `\n${[id, amount, currencyCode, new Date(nowMs).toISOString()].join('\t')}\n`
}

/** The last approval of an id among such lines. A last line without its end may be half written, and does not count. */
export function approvalIn(text: string, id: string): Approval | undefined {
  const lines = text.split('\n').slice(0, -1)
  const last = lines.findLast((line) => line.startsWith(`${id}\t`))
  if (last === undefined) return undefined
  const [, amount = '', currencyCode = '', at = ''] = last.split('\t')
  return { amount: microsOf(amount), currencyCode, at: Date.parse(at) }
}
