// @ts-check
// The packages whose code is inside dist. Read from the source maps of what was built and not from package.json, so
// that nothing bundled is missing and nothing else is named.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)

/** The packages that paths of sources lead into. @param {readonly string[]} sources */
function packagesIn(sources) {
  const names = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

/**
 * Which files of dist each package is in, by its name. The parts of the command stand under one name, `cli`:
 * their own names hold a hash, which changes with what they hold.
 *
 * @param {'' | 'sandbox/'} folder
 */
export function bundled(folder) {
  const dist = new URL(`${folder}dist/`, root)
  /** @type {Map<string, string[]>} */
  const files = new Map()
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const file of built.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (!/\.c?js$/.test(file)) continue
    const map = new URL(`maps/${file}.map`, dist)
    if (!existsSync(map)) throw new Error(`${folder}dist/${file} has no source map.`)
    const shown = file.replace(/^cli\/.*/, 'cli')
    for (const name of packagesIn(JSON.parse(readFileSync(map, 'utf8')).sources)) {
      files.set(name, [...new Set([...(files.get(name) ?? []), shown])])
    }
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1))
}
