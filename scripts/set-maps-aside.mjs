// @ts-check
// No source map is packed: what is packed keeps its lines and names, so that a stack trace
// can be read, and the maps would be a quarter of it. They go to dist/maps, without the sources:
// the scripts and tests that say what is bundled and what is loaded read them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const [folder = '.'] = process.argv.slice(2)
const dist = resolve(root, folder, 'dist')

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.c?js\.map$/.test(name)) continue
  const file = resolve(dist, name)
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(file, 'utf8'))
  const aside = resolve(dist, 'maps', name)
  mkdirSync(dirname(aside), { recursive: true })
  writeFileSync(aside, JSON.stringify(map))
  rmSync(file)
  const code = resolve(dist, name.slice(0, -'.map'.length))
  const text = readFileSync(code, 'utf8')
  const comment = text.lastIndexOf('\n//# sourceMappingURL=')
  if (comment < 0) throw new Error(`${relative(root, code)} names no source map.`)
  writeFileSync(code, text.slice(0, comment + 1))
}
