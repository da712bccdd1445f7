const deepest = 6

/** The texts of a JSON value, each with the names of the fields that lead to it, with dots between them. Lists are left out. */
export function* textsIn(
  value: unknown,
  place = '',
  depth = 0,
): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string') {
    if (place !== '') yield [place, value]
    return
  }
  if (depth === deepest || typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, child] of Object.entries(value)) {
    // A name with a dot in it can't be told from two.
    if (/^[A-Za-z_$][\w$-]{0,63}$/.test(name))
      yield* textsIn(child, place === '' ? name : `${place}.${name}`, depth + 1)
  }
}
