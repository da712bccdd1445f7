import type { Shape } from '../../client/profile/shape.js'
import { hiding } from '../../client/redact/hide.js'
import { bodyShapeBy, shapeBy } from './shape-by.js'

/**
 * What a JSON value is made of: names and types, and nothing of the values. Never throws, and ends whatever it
 * is given.
 *
 * @param hidden texts that may not be seen: a name that contains one of them becomes `*`, in whatever case and
 * escaping it stands there.
 *
 * @example
 * shapeOf({ process: { status: 'SUCCESS' }, fees: [1] }, []) // { process: { status: 'string' }, fees: ['number'] }
 */
export function shapeOf(value: unknown, hidden: readonly string[]): Shape {
  return shapeBy(value, hiding(hidden))
}

/** What the text of a body is made of: JSON, or `text`; undefined where it is empty. */
export function shapeOfBody(body: string, hidden: readonly string[]): Shape | undefined {
  return body === '' ? undefined : bodyShapeBy(body, hiding(hidden))
}
