import type { Shape } from '../../client/profile/shape.js'
import { fieldsOf, isList, kindsOf } from './merge-shapes.js'

const mostDifferences = 20

/**
 * What a value of the second shape can be and one of the first can't, a plain sentence each. Names are of
 * profiles, and so fit to be shown.
 *
 * @param about what the shapes are of, at the beginning of each sentence.
 * @param sawOthers whether what was seen of each was made at other moments, so that fields may come and go.
 *
 * @example
 * differences({ process: { status: 'string' } }, { status: 'string' }, 'payins')
 * // ['payins: `process` is gone', 'payins: `status` is new (string)']
 */
export function differences(
  before: Shape | undefined,
  now: Shape | undefined,
  about: string,
  sawOthers = false,
): string[] {
  const all = [...between(before, now, { path: '', sawOthers })].map((sentence) => `${about}: ${sentence}`)
  const more = all.length - mostDifferences
  return more > 1 ? [...all.slice(0, mostDifferences), `${about}: and ${more} more`] : all
}

interface Place {
  readonly path: string
  readonly sawOthers: boolean
}

function* between(before: Shape | undefined, now: Shape | undefined, at: Place): Generator<string> {
  const { path, sawOthers } = at
  const place = path === '' ? 'the body' : `\`${path}\``
  if (before === undefined || now === undefined) {
    if (before !== now) yield now === undefined ? `${place} is gone` : `${place} is new (${nameOf(now)})`
  } else if (before === 'any') {
    return
  } else if (typeof before === 'string' || typeof now === 'string') {
    const had = typeof before === 'string' ? kindsOf(before) : []
    const mayBe = (kind: string) => had.some((one) => one === kind) || (sawOthers && kind === 'null')
    const isKnown = typeof now === 'string' && kindsOf(now).every(mayBe)
    if (!isKnown) yield `${place} is ${nameOf(now)} now, and was ${nameOf(before)}`
  } else if (isList(before) || isList(now)) {
    if (!isList(before) || !isList(now)) yield `${place} is ${nameOf(now)} now, and was ${nameOf(before)}`
    else if (before[0] !== undefined && now[0] !== undefined)
      yield* between(before[0], now[0], { path: `${path}[]`, sawOthers })
  } else {
    yield* betweenFields(before, now, at)
  }
}

type Fields = { readonly [field: string]: Shape }

function* betweenFields(before: Fields, now: Fields, { path, sawOthers }: Place): Generator<string> {
  const [known, seen] = [fieldsOf(before), fieldsOf(now)]
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  for (const { name, optional } of known.values()) {
    if (optional) continue
    const field = seen.get(name)
    if (field === undefined) yield `\`${inside(name)}\` is gone`
    else if (field.optional && !sawOthers) yield `\`${inside(name)}\` is not always there now`
  }
  for (const { name, shape } of seen.values()) {
    const field = known.get(name) ?? known.get('*')
    if (field !== undefined) {
      if (shape !== 'null' || !field.optional)
        yield* between(field.shape, shape, { path: inside(name), sawOthers })
    } else if (!sawOthers) yield `\`${inside(name)}\` is new (${nameOf(shape)})`
  }
}

function nameOf(shape: Shape): string {
  if (typeof shape === 'string') return kindsOf(shape).join(' or ')
  return isList(shape) ? 'a list' : 'an object'
}
