// @ts-check
import { median, ratios, summary } from '../support/stats.mjs'

/** @typedef {import('./install.mjs').Contender & { esm: import('./load-time.mjs').Times, cjs: import('./load-time.mjs').Times, files: { esm: number, cjs: number }, weight: number }} Measured */

const head = [
  'package',
  '`import`, ms',
  '/ stripe',
  '`require`, ms',
  '/ stripe',
  'files loaded',
  'packages',
  'MB installed',
  'KB min+gz',
]

/** The contenders side by side, as Markdown. @param {readonly Measured[]} measured */
export function comparison(measured) {
  const stripe = measured.find(({ name }) => name === 'stripe')
  const rows = measured.map(({ name, version, esm, cjs, files, packages, bytes, weight }) => [
    `${name} ${version}`,
    spread(esm.inside),
    stripe === undefined ? '' : median(ratios(esm.inside, stripe.esm.inside)).toFixed(2),
    spread(cjs.inside),
    stripe === undefined ? '' : median(ratios(cjs.inside, stripe.cjs.inside)).toFixed(2),
    files.esm === files.cjs ? `${files.esm}` : `${files.esm} / ${files.cjs}`,
    `${packages}`,
    (bytes / 1024 / 1024).toFixed(1),
    (weight / 1024).toFixed(1),
  ])
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** @param {readonly number[]} values */
function spread(values) {
  const { median: middle, min, max } = summary(values)
  return `${middle.toFixed(1)} (${min.toFixed(1)} – ${max.toFixed(1)})`
}

/** Everything that one import has loaded, and what was bundled into it. @param {{ files: string[], bundled: string[], builtins: string[] }} loaded */
export function loadedByImport({ files, bundled, builtins }) {
  /** @type {Map<string, number>} */
  const packages = new Map()
  let own = 0
  for (const source of bundled) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]
    if (name === undefined) own++
    else packages.set(name, (packages.get(name) ?? 0) + 1)
  }
  const others = [...packages].map(([name, count]) => `${name} (${count})`).join(', ')
  return [
    'Loaded by importing the main entry:\n',
    `- files: ${files.map((file) => `\`${file.replace(/.*node_modules\//, '')}\``).join(', ')}`,
    `- bundled into it: ${own} sources of its own, and of ${others}`,
    `- modules of Node that an empty process has not loaded: ${builtins.join(', ') || 'none'}`,
  ].join('\n')
}
