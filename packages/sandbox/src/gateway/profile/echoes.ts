import type { Shape } from '../../../../../src/client/profile/shape.js'
import { fieldsOf, isList } from '../../../../../src/profile/shapes/merge-shapes.js'

/**
 * A payin's shape with a `returnUrl` beside its id: section 2 promises it to whoever sent one, and a profile of payins
 * that were created without one can't know of it.
 */
export function withReturnUrl(shape: Shape): Shape {
  if (typeof shape === 'string' || isList(shape)) return shape
  const fields = fieldsOf(shape)
  const inside = Object.fromEntries(
    Object.entries(shape).map(([key, inner]) => [key, withReturnUrl(inner)] as const),
  )
  if (!fields.has('idPayin')) return inside
  const seen = fields.get('returnUrl')
  if (seen === undefined) return { ...inside, 'returnUrl?': 'string' }
  return seen.shape === 'null'
    ? { ...inside, [seen.optional ? 'returnUrl?' : 'returnUrl']: 'string|null' }
    : inside
}
