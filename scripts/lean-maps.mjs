// @ts-check
// Source maps as they are packed: one for the main entry in each format, with this package's own sources in
// it and nothing of the bundled libraries, so that it refers to no file that is not there. No other file of
// dist has a map, nor a comment that names one: functions keep their names, and a line has 160 characters at
// most. The maps as they were built go to dist/maps, without sources and not packed: the scripts and tests
// that say what is bundled and what is loaded read them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepSources } from './keep-sources.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = resolve(root, 'dist')
const own = resolve(root, 'src') + sep
const mapped = new Set(['index.js.map', 'index.cjs.map'])

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.c?js\.map$/.test(name)) continue
  const file = resolve(dist, name)
  const map = JSON.parse(readFileSync(file, 'utf8'))
  const { sourcesContent: _, ...withoutContent } = map
  write(resolve(dist, 'maps', name), withoutContent)
  if (mapped.has(name)) {
    write(
      file,
      keepSources(map, (source) => resolve(dirname(file), source).startsWith(own)),
    )
    continue
  }
  rmSync(file)
  const code = resolve(dist, name.slice(0, -'.map'.length))
  const text = readFileSync(code, 'utf8')
  const comment = text.lastIndexOf('\n//# sourceMappingURL=')
  if (comment < 0) throw new Error(`${relative(root, code)} names no source map.`)
  writeFileSync(code, text.slice(0, comment + 1))
}

/** @param {string} file @param {object} map */
function write(file, map) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(map))
}
