/** What a text says as JSON; undefined where it is none, which no JSON is. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
