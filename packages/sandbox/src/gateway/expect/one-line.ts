const MAX_TEXT = 160

/** One line of a history, whatever characters an id holds. */
export function oneLine(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean
}
