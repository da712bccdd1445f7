/** What a text says as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text from elsewhere on one line: what a terminal or a log does not show is written as JSON escapes it. */
export function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (hidden) => hidden.replace(/./gs, escaped))
}

/** What a thrown value says, for the clause of a sentence. */
export function whyOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'it failed'
}
