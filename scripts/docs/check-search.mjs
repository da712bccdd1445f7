// @ts-check
// Checks that the site's search finds the right page for what people type, among the first three: `node
// scripts/docs/check-search.mjs site`. The ranking is that of TypeDoc's own script in the page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { inflateSync } from 'node:zlib'

const require = createRequire(import.meta.url)
const lunr = createRequire(require.resolve('typedoc'))('lunr')
const site = resolve(process.argv[2] ?? 'site')
const script = readFileSync(`${site}/assets/search.js`, 'utf8')
const packed = Buffer.from(script.slice(script.indexOf('"') + 1, script.lastIndexOf('"')), 'base64')
/** @type {{ rows: { name: string, url: string }[], index: object }} */
const { rows, index } = JSON.parse(inflateSync(packed).toString())
const searched = lunr.Index.load(index)
/** @type {Record<string, string>} What people type, and the page that they need. */
const queries = JSON.parse(readFileSync(new URL('search-queries.json', import.meta.url), 'utf8'))

/** @param {string} query @returns {string[]} */
function found(query) {
  const results = searched.search(
    query
      .split(' ')
      .map((word) => `*${word}*`)
      .join(' '),
  )
  for (const result of results) {
    const { name } = rows[Number(result.ref)] ?? { name: '' }
    if (name.toLowerCase().startsWith(query)) result.score *= 10 / (1 + Math.abs(name.length - query.length))
  }
  results.sort((/** @type {{ score: number }} */ a, /** @type {{ score: number }} */ b) => b.score - a.score)
  return results.slice(0, 3).map((/** @type {{ ref: string }} */ { ref }) => rows[Number(ref)]?.url ?? '')
}

let lost = 0
for (const [query, page] of Object.entries(queries)) {
  const first = found(query)
  if (first.includes(`guides/${page}.html`)) continue
  lost += 1
  console.error(`"${query}" finds ${first.join(', ')}, and not ${page}`)
}
console.log(
  `${Object.keys(queries).length} queries, ${lost} of them without their page among the first three`,
)
if (lost > 0) process.exitCode = 1
