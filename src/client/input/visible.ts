const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** On one line: what a terminal or a log does not show is written as JSON escapes it, so that it can't look like other text. */
export function visible(text: string): string {
  return text.replace(hidden, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}
