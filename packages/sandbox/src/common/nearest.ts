/** The known name that a wrong one was probably meant for; undefined where that would be a guess. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  if (wanted.length > 40) return undefined
  const typos = Math.min(3, Math.round(wanted.length / 3))
  const [best] = known
    .map((one) => ({ one, away: distance(wanted, plain(one)) }))
    .filter(({ away }) => away <= typos)
    .sort((a, b) => a.away - b.away)
  const longer = known.filter((one) => wanted !== '' && plain(one).startsWith(wanted))
  return best?.one ?? (longer.length === 1 ? longer[0] : undefined)
}

/** Case, dashes and underscores make no difference. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** How many letters too many, too few or other lie between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    row.reduce((diagonal, above, column) => {
      const change = diagonal + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(change, above + 1, (next[column - 1] ?? 0) + 1))
      return above
    })
    row = next
  }
  return row[b.length] ?? 0
}
