/** How an id stands in an entry for the gateway (assumed: as in the path that is sent). */
export type IdSpelling = 'percent-encoded' | 'decoded'

/** An id as a part of an entry: the very one, and no pattern. */
export function idPattern(id: string, spelling: IdSpelling = 'percent-encoded'): string {
  return escapePattern(spelling === 'decoded' ? id : encodeURIComponent(id))
}

/** A text as a regular expression that matches this text and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
