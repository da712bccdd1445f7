const times = ['never', 'once', 'twice']

/** How often: `once`, `twice`, `3 times`. */
export function often(count: number): string {
  return times[count] ?? `${count} times`
}

/** A list in words: `amount, currency and method`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1)
  if (last === undefined) return ''
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
