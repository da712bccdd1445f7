import { type MagicAmount, magicAmounts } from '../../gateway/faults/magic-amounts.js'

/** A payment that can be made by name. */
export interface TriggerCase {
  readonly name: string
  readonly amount: number
  readonly meaning: string
  /** Whether it comes to its end by itself, and soon. */
  readonly endsSoon: boolean
}

const soonMs = 10_000

/** An ordinary payment, and one for each magic amount, by the name of its operator code. */
export const triggerCases: readonly TriggerCase[] = [
  { name: 'paid', amount: 10, meaning: 'The payment succeeds.', endsSoon: true },
  ...magicAmounts.map(caseOf),
]

function caseOf({ amount, operatorCode = '', meaning, outcome, afterMs = 0 }: MagicAmount): TriggerCase {
  const name = operatorCode
    .replace(/^SANDBOX_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return { name, amount, meaning, endsSoon: outcome !== null && afterMs <= soonMs }
}
