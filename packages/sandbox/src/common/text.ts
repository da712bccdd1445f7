/** Control characters, marks that turn a text around or have no width, line separators, halves of characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from elsewhere, on one line: what no terminal or editor shows is written as JSON escapes it. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/** A text without its percent-encoding; undefined where that is none. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A text as a regular expression that matches this text and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

const MAX_LINE = 160

/** One line of a history, whatever characters an id holds. */
export function oneLine(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
  return clean.length > MAX_LINE ? `${clean.slice(0, MAX_LINE)}…` : clean
}
