// @ts-check
// No source map is packed: what is packed keeps its lines and names, so that a stack trace
// can be read, and the maps would be a quarter of it. They go to dist/maps, without the sources:
// the scripts and tests that say what is bundled and what is loaded read them.
// Nor are comments for editors, which the declarations have.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const [folder = '.'] = process.argv.slice(2)
const dist = resolve(root, folder, 'dist')

for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.c?js\.map$/.test(name)) continue
  const file = resolve(dist, name)
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(file, 'utf8'))
  const code = resolve(dist, name.slice(0, -'.map'.length))
  const text = readFileSync(code, 'utf8')
  const comment = text.lastIndexOf('\n//# sourceMappingURL=')
  if (comment < 0) throw new Error(`${relative(root, code)} names no source map.`)
  const lean = withoutDocComments(text.slice(0, comment + 1), map.mappings)
  const aside = resolve(dist, 'maps', name)
  mkdirSync(dirname(aside), { recursive: true })
  writeFileSync(aside, JSON.stringify({ ...map, mappings: lean.mappings }))
  rmSync(file)
  writeFileSync(code, lean.text)
}

/**
 * esbuild leaves out all comments but those inside classes and functions. A line of them is one of the map too, where
 * it stands for nothing.
 *
 * @param {string} text
 * @param {string} mappings
 */
function withoutDocComments(text, mappings) {
  const lines = text.split('\n')
  const mapped = mappings.split(';')
  let isInside = false
  const isKept = lines.map((line) => {
    const isComment = isInside || /^\s*\/\*\*/.test(line)
    isInside = isComment && !line.includes('*/')
    return !isComment
  })
  const lean = lines.filter((_, at) => isKept[at]).join('\n')
  // A text that looks like a comment would be missing now.
  if (codeOf(lean) !== codeOf(text)) throw new Error('More than comments would be left out.')
  return { text: lean, mappings: mapped.filter((_, at) => isKept[at] ?? true).join(';') }
}

/** @param {string} text */
function codeOf(text) {
  return transformSync(text, { minifyWhitespace: true, legalComments: 'none' }).code
}
