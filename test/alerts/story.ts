/** What happens to a merchant, and which alarm it has to raise. Times are in milliseconds from the start. */
export interface Story {
  readonly name: string
  readonly days: number
  readonly payinsPerDay: number
  readonly payoutEveryDays: number
  /** How often Prometheus looks at the metrics, and how often at the rules. */
  readonly everyMs: number
  readonly evaluatedEveryMs: number
  readonly trouble?: { readonly kind: Trouble; readonly fromMs: number; readonly untilMs: number }
  /** The one alarm; none in a quiet time. */
  readonly raises?: string
}

export type Trouble =
  | 'the function fails'
  | 'payouts stand'
  | 'callbacks stop'
  | 'the key is refused'
  | 'the rate is spent'
  | 'answers are lost'
  | 'money leaves'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** `ALERTS_DAYS=365` plays a year of it. */
const quietDays = Number(process.env.ALERTS_DAYS ?? 60)

export const quiet: Story = {
  name: `${quietDays} quiet days`,
  days: quietDays,
  payinsPerDay: 4,
  payoutEveryDays: 30,
  everyMs: 10 * minuteMs,
  evaluatedEveryMs: 30 * minuteMs,
}

/** From ten in the morning of the first day on. */
function incident(kind: Trouble, hours: number, raises: string, days = 1): Story {
  const fromMs = 10 * hourMs
  return {
    name: kind,
    days,
    // Ten in an hour; a few where days have to pass.
    payinsPerDay: days === 1 ? 140 : 14,
    payoutEveryDays: 1,
    everyMs: days * minuteMs,
    evaluatedEveryMs: days * minuteMs,
    trouble: { kind, fromMs, untilMs: fromMs + hours * hourMs },
    raises: `MerchantGateway${raises}`,
  }
}

export const incidents: readonly Story[] = [
  incident('the function fails', 2, 'PaidAndNotTold'),
  incident('payouts stand', 36, 'PayoutsStanding', 3),
  incident('callbacks stop', 6, 'CallbacksStopped'),
  incident('the key is refused', 2, 'KeyRefused'),
  incident('the rate is spent', 0.3, 'RateSpent'),
  incident('answers are lost', 2, 'OutcomeUnknown'),
  incident('money leaves', 24, 'UnexplainedDifference', 3),
]
