/** Money wherever there is some in an answer; its amounts as they are written there. */
export function* moneyIn(
  value: unknown,
  depth = 0,
): Generator<{ readonly amount: string; readonly currencyCode: string }> {
  if (depth > 5 || typeof value !== 'object' || value === null) return
  if ('amount' in value && 'currencyCode' in value) {
    yield { amount: String(value.amount), currencyCode: String(value.currencyCode) }
  } else for (const child of Object.values(value)) yield* moneyIn(child, depth + 1)
}
