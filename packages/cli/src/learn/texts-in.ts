import { isName } from '../../../../src/profile/shapes/names.js'
import { ownFields } from '../../../../src/profile/shapes/shape-of.js'

const deepest = 6
const longestPlace = 64

/** The texts of a JSON value, each with where it stands: names of fields and numbers of entries, with dots for depth. */
export function* textsIn(
  value: unknown,
  place = '',
  depth = 0,
): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string') {
    if (place !== '' && place.length <= longestPlace) yield [place, value]
  } else if (depth < deepest && typeof value === 'object' && value !== null) {
    for (const [name, child] of ownFields(value)) {
      // A name with a dot in it can't be told from two.
      const isStep = Array.isArray(value)
        ? depth > 0 && /^\d{1,3}$/.test(name)
        : isName(name) && !name.includes('.')
      if (isStep) yield* textsIn(child, place === '' ? name : `${place}.${name}`, depth + 1)
    }
  }
}
