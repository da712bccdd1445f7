/** What a text of JSON holds; undefined where it is none, which no JSON is. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value may have fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Money wherever there is some in a response, in its order; its amounts as they are written there. */
export function* moneyIn(response: unknown): Generator<{ amount: string; currencyCode: string }> {
  // A list and not recursion: a response may be nested too deep for it.
  const rest = [response]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if ('amount' in value && 'currencyCode' in value) {
      yield { amount: textIn(value.amount), currencyCode: textIn(value.currencyCode) }
    } else for (const child of Object.values(value).reverse()) rest.push(child)
  }
}

/** Nothing of what a gateway writes in place of a number or a text can be told from its words. */
function textIn(field: unknown): string {
  return typeof field === 'object' && field !== null ? '(unreadable)' : String(field)
}

/** Date and time of day, as ISO 8601 writes them. */
const timeForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/
/** Gateways write years before and after in place of a time that they don't have. */
const [first, last] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 30)]

/** The time that a field of a response says, in milliseconds since 1970; undefined for anything else. */
export function timeIn(field: unknown): number | undefined {
  const time = typeof field === 'string' && timeForm.test(field) ? Date.parse(field) : Number.NaN
  return time >= first && time <= last ? time : undefined
}
