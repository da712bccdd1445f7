// @ts-check
// Source maps that lead to the source, each source once. esbuild puts every source into every map: the ESM
// and the CJS map of an entry hold the same, and whole modules of zod for a few functions. Here the maps
// point at dist/src, where this package's own sources are, and hold none.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = resolve(root, 'dist')
const own = resolve(root, 'src') + sep

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.c?js\.map$/.test(name)) continue
  const file = resolve(dist, name)
  const map = JSON.parse(readFileSync(file, 'utf8'))
  map.sources = map.sources.map((/** @type {string} */ source) => {
    const from = resolve(dirname(file), source)
    if (!from.startsWith(own) || !existsSync(from)) return source
    const to = resolve(dist, 'src', relative(own, from))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
    return relative(dirname(file), to).replaceAll(sep, '/')
  })
  delete map.sourcesContent
  writeFileSync(file, JSON.stringify(map))
}
