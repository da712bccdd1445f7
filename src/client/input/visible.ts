const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text that came from elsewhere, on one line: what an editor, a terminal or a log does not show is written as JSON
 * escapes it, so it can neither move the cursor, nor begin another line, nor look like other text.
 */
export function visible(text: string): string {
  return text.replace(hidden, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}
