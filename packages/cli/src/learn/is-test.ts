/** What an answer about a payment says of tests. */
export type Said = 'test' | 'real' | 'nothing'

/** An answer that is deeper is none of a payment. */
const deepest = 6

/**
 * Whether an answer says that its payment is a test (section 2: `process.isTest`), wherever in it that stands. Only
 * `true` says that it is one, and anything but `true` and `null` that it is none: a payout may hang on it.
 */
export function whatIsSaidOfTests(json: unknown): Said {
  const values = [...valuesOfIsTest(json, 0)]
  if (values.some((value) => value !== true)) return 'real'
  return values.length > 0 ? 'test' : 'nothing'
}

function* valuesOfIsTest(value: unknown, depth: number): Generator<unknown> {
  if (typeof value !== 'object' || value === null || depth > deepest) return
  for (const [name, field] of Object.entries(value)) {
    if (name === 'isTest' && field !== null) yield field
    else yield* valuesOfIsTest(field, depth + 1)
  }
}
