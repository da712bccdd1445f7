/** Money wherever there is some in an answer, in its order; its amounts as they are written there. What is inside of money is a part of it. */
export function* moneyIn(
  answer: unknown,
): Generator<{ readonly amount: string; readonly currencyCode: string }> {
  // By a list and not by calls, which an answer could nest too deep.
  const rest = [answer]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if ('amount' in value && 'currencyCode' in value) {
      yield { amount: String(value.amount), currencyCode: String(value.currencyCode) }
    } else for (const child of Object.values(value).reverse()) rest.push(child)
  }
}
