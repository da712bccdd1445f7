// @ts-check
// Checks that the site's search finds the right page for what people type, among the first three, and shows a sentence
// of it: `node scripts/docs/check-search.mjs site`. It runs what the pages run, over what they load.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { searchOf } from './search.mjs'

const site = resolve(process.argv[2] ?? 'site')
const data = readFileSync(`${site}/assets/search-data.js`, 'utf8')
/** @type {import('./search.mjs').Page[]} */
const pages = JSON.parse(data.slice(data.indexOf('[')))
const search = searchOf(pages)
/**
 * What people type, the page that they need, and words that the sentence shown has, where they need no more than these.
 *
 * @type {Record<string, string | [string, string]>}
 */
const queries = JSON.parse(readFileSync(new URL('search-queries.json', import.meta.url), 'utf8'))

/** @param {string} query @param {string} name @param {string} says @returns {string | undefined} what is wrong */
function problemOf(query, name, says) {
  const url = `guides/${name}.html`
  const hits = search(query).slice(0, 3)
  const hit = hits.find(({ page }) => page.url === url)
  if (hit === undefined) return `finds ${hits.map(({ page }) => page.url).join(', ')}, and not ${name}`
  if (hit.sentence === '') return `shows no sentence of ${name}`
  return hit.sentence.includes(says) ? undefined : `shows "${hit.sentence}", and not "${says}"`
}

/** @type {string[]} */
const problems = []
for (const [query, needed] of Object.entries(queries)) {
  const [name, says] = typeof needed === 'string' ? [needed, ''] : needed
  const problem = problemOf(query, name, says)
  if (problem !== undefined) problems.push(`"${query}" ${problem}`)
}
for (const problem of problems) console.error(problem)
console.log(`${Object.keys(queries).length} queries, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
