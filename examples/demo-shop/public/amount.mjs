// Amounts as people write them. The server and the page share this file, so that they read the same.

/** No amount of this shop needs more; whole cents up to here are exact. */
const digits = /^\d{1,9}$/

/**
 * Cents of a text such as "12.50", "12,50", "1,234.50" or "1 234,5". Undefined where it could mean two amounts
 * ("1,234") or none.
 *
 * @param {string} text
 * @returns {number | undefined}
 */
export function parseCents(text) {
  const compact = text.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')
  const last = Math.max(compact.lastIndexOf(','), compact.lastIndexOf('.'))
  if (last === -1) return cents(compact, '')
  const mark = compact.charAt(last)
  const before = compact.slice(0, last)
  const after = compact.slice(last + 1)
  // The mark comes twice, so it groups thousands, and there are no cents.
  if (before.includes(mark)) return cents(ungrouped(compact, mark), '')
  const grouped = before.includes(',') ? ',' : before.includes('.') ? '.' : undefined
  return /^\d{1,2}$/.test(after)
    ? cents(grouped === undefined ? before : ungrouped(before, grouped), after)
    : undefined
}

/** @param {number} amount in cents @returns {string} such as "12.50" */
export function decimal(amount) {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

/** "1.234.567" without its points, where they stand as they should. @param {string} text @param {string} mark */
function ungrouped(text, mark) {
  const [first = '', ...groups] = text.split(mark)
  const isGrouped = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return isGrouped ? first + groups.join('') : ''
}

/** @param {string} whole @param {string} fraction */
function cents(whole, fraction) {
  return digits.test(whole) ? Number(whole) * 100 + Number(fraction.padEnd(2, '0')) : undefined
}
