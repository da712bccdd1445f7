// @ts-check
// Checks that every link of the site leads to a file and, where it names one, to an anchor in it: `node
// scripts/docs/check-links.mjs site`. Other sites are not asked, and no page may load anything from them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const site = resolve(process.argv[2] ?? 'site')
const pages = readdirSync(site, { recursive: true })
  .map((name) => join(site, String(name)))
  .filter((file) => file.endsWith('.html'))

/** @type {Map<string, Set<string>>} */
const anchors = new Map()

/** @param {string} file */
function anchorsOf(file) {
  const known = anchors.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const found = new Set([...text.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = '']) => decoded(id)))
  anchors.set(file, found)
  return found
}

/** @param {string} text */
function decoded(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
}

/** @param {string} page @param {string} link @param {boolean} isLoaded @returns {string | undefined} what is wrong */
function problemOf(page, link, isLoaded) {
  if (/^(?:https?:)?\/\//.test(link)) return isLoaded ? 'is loaded from elsewhere' : undefined
  if (/^(?:mailto|data):/.test(link)) return undefined
  const [path = '', anchor = ''] = link.split('#')
  const target = path === '' ? page : resolve(page, '..', decodeURIComponent(path.split('?')[0] ?? ''))
  if (!existsSync(target)) return 'leads to nothing'
  if (anchor === '' || !target.endsWith('.html')) return undefined
  return anchorsOf(target).has(decodeURIComponent(anchor)) ? undefined : 'leads to no such heading'
}

let links = 0
/** @type {string[]} */
const problems = []
for (const page of pages) {
  for (const [, tag = '', attribute, value = ''] of readFileSync(page, 'utf8').matchAll(
    /<(a|link|script|img|source)\b[^>]*?\s(href|src)="([^"]*)"/g,
  )) {
    links += 1
    const link = decoded(value)
    const problem = problemOf(page, link, attribute === 'src' || tag === 'link')
    if (problem !== undefined) problems.push(`${relative(site, page)}: ${link} ${problem}`)
  }
}
for (const problem of problems) console.error(problem)
console.log(`${pages.length} pages, ${links} links, ${problems.length} of them broken`)
// A site without pages has not been built.
if (problems.length > 0 || pages.length === 0) process.exitCode = 1
