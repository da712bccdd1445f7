export function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

const mostCharacters = 40

const otherNames: Readonly<Partial<Record<string, string>>> = {
  iban: 'accountNumber',
  beneficiary: 'accountName',
  holder: 'accountName',
  accountholder: 'accountName',
}

export function isNameOf(written: string, field: string): boolean {
  return plain(written) === plain(field) || otherNames[plain(written)] === field
}

/** The known name that a wrong one was probably meant for; undefined where that would be a guess. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  const other = otherNames[wanted]
  if (other !== undefined && known.includes(other)) return other
  if (wanted.length > mostCharacters) return undefined
  const typos = Math.min(3, Math.round(wanted.length / 3))
  let best: string | undefined
  let least = typos + 1
  for (const one of known) {
    const away = distance(wanted, plain(one))
    if (away < least) [best, least] = [one, away]
  }
  if (wanted.length < 4) return best
  // "account" is the beginning of accountName and accountNumber, and no amount with two letters wrong.
  const longer = known.filter((one) => plain(one).startsWith(wanted))
  if (least > 1 && longer.length > 0) return longer.length === 1 ? longer[0] : undefined
  return best ?? known.find((one) => plain(one).includes(wanted))
}

export function didYouMean(name: string, known: readonly string[], path = ''): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `; did you mean ${path}${meant}?`
}

/** How many letters too many, too few or other lie between two texts; two that are swapped count as two. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    row.reduce((diagonal, above, column) => {
      next.push(
        Math.min(diagonal + (letter === b[column - 1] ? 0 : 1), above + 1, (next[column - 1] ?? 0) + 1),
      )
      return above
    })
    row = next
  }
  return row[b.length] ?? 0
}
