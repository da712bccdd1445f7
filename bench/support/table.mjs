// @ts-check

/**
 * One line of the result.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number} median
 * @property {number} min
 * @property {number} max
 * @property {string} [unit]
 * @property {number} [atMost]
 * @property {number} [atLeast]
 * @property {boolean} [always] whether the aim holds for every round, and not only for the median
 */

const head = ['measured', 'median', 'min – max', 'aim', 'verdict']

/** A table that reads as Markdown and as text. @param {readonly Row[]} rows */
export function table(rows) {
  const lines = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const [first, ...rest] = lines.map((line) =>
    line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [first ?? [], rule, ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** @param {Row} row */
function cells(row) {
  const { what, median, min, max, unit = '' } = row
  return [what, `${figure(median)}${unit}`, `${figure(min)} – ${figure(max)}`, aim(row), verdict(row)]
}

/** @param {number} value */
function figure(value) {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}

/** @param {Row} row */
function aim({ atMost, atLeast, unit = '' }) {
  if (atMost !== undefined) return `≤ ${atMost.toLocaleString('en')}${unit}`
  return atLeast === undefined ? '' : `≥ ${atLeast.toLocaleString('en')}${unit}`
}

/** @param {Row} row */
function verdict({ median, max, always, atMost, atLeast }) {
  if (atMost === undefined && atLeast === undefined) return ''
  const high = always === true ? max : median
  return high <= (atMost ?? Number.POSITIVE_INFINITY) && median >= (atLeast ?? Number.NEGATIVE_INFINITY)
    ? 'met'
    : 'missed'
}
