// @ts-check
// Draws the recorded results for the guides: node bench/results/draw.mjs writes docs/images/*.svg, with --check it says
// whether they are what the results say.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { bars } from './bars.mjs'
import { kept } from './keep.mjs'

/** @typedef {import('../support/table.mjs').Row} Row */

const shown = (/** @type {number} */ value) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)

/** Each figure that has an aim, as a part of it: what is beyond 100 misses it. */
function performance() {
  const rows = Object.values(kept('bench')).flatMap(({ figures }) => /** @type {Row[]} */ (figures))
  const drawn = rows.flatMap(({ what, median, unit = '', atMost, atLeast }) => {
    const aim = atMost ?? atLeast
    if (aim === undefined || aim === 0) return []
    const value = atMost === undefined ? (100 * aim) / median : (100 * Math.max(0, median)) / aim
    const sign = atMost === undefined ? '≥' : '≤'
    return [
      { label: what, value, text: `${shown(median)}${unit}, aim ${sign} ${aim.toLocaleString('en')}${unit}` },
    ]
  })
  return bars('What the client costs, as a part of what it may cost (in a hundred)', [
    { rows: drawn, mark: 100 },
  ])
}

/** Payouts beside a gateway that hangs, and what one of each costs. */
function scale() {
  const all = Object.values(kept('scale')).flatMap(({ figures }) => figures)
  /** @param {string} label @param {string} what @param {string} unit */
  const row = (label, what, unit) => {
    const value = all.find((one) => one.what === what)?.value
    if (typeof value !== 'number') throw new Error(`nothing recorded of: ${what}`)
    return { label, value, text: `${shown(value)} ${unit}` }
  }
  const payouts = 'payouts a second of each of 20 merchants'
  const hangs = `${payouts} but one, whose gateway hangs`
  return bars('On the way to a platform', [
    {
      title: 'Payouts a second of each merchant',
      rows: [
        row(
          'all gateways well, a queue for each',
          `${payouts}, a queue for each, all gateways well`,
          'a second',
        ),
        row('one gateway hangs, a queue for each', `${hangs}; a queue for each`, 'a second'),
        row('one gateway hangs, one queue for all', `${hangs}; one queue for all`, 'a second'),
        row(
          'one gateway hangs, one queue with places',
          `${hangs}; one queue, five places for each`,
          'a second',
        ),
      ],
    },
    {
      title: 'CPU for one of each',
      rows: [
        row('a permit: the process', 'the same: CPU of the processes for each permit', 'µs'),
        row('a permit: Redis', 'the same: CPU of Redis for each call', 'µs'),
        row(
          'a callback, looked up and told',
          'callbacks of 500 merchants, by HTTP, each looked up, the limit off: CPU of the process for each',
          'µs',
        ),
        row('a forged callback', 'forged callbacks, by HTTP: CPU of the process for each', 'µs'),
        row('a payment reconciled', 'the same: CPU of the process for each', 'µs'),
      ],
    },
  ])
}

for (const [name, svg] of Object.entries({ performance: performance(), scale: scale() })) {
  const file = new URL(`../../docs/images/${name}.svg`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, svg)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== svg) {
    console.error(`docs/images/${name}.svg is not what the results say: node bench/results/draw.mjs draws it`)
    process.exitCode = 1
  }
}
