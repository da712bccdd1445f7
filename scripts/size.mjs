// @ts-check
// What the main entry weighs in somebody's bundle: dist/index.js with what is bundled into it, minified and
// gzipped, without undici, which is installed beside it, and without the parts of its own that it loads when
// they are needed. Fails when it has grown by more than 5 % since the
// figure on record, or is over 48 KB. npm run size [-- --update]
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const mostBytes = 48 * 1024
const mostGrowth = 0.05

const { values } = parseArgs({
  options: {
    update: { type: 'boolean', default: false },
    entry: { type: 'string', default: fileURLToPath(new URL('../dist/index.js', import.meta.url)) },
    limits: { type: 'string', default: fileURLToPath(new URL('size-limits.json', import.meta.url)) },
  },
})

/** @param {number} value */
const bytes = (value) => `${value.toLocaleString('en')} B`

/** @type {import('esbuild').Plugin} */
const loadedLaterStaysOutside = {
  name: 'loaded-later-stays-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * The map of the entry as it was built, which knows the bundled libraries too.
 * @param {string} entry
 * @returns {import('esbuild').Plugin}
 */
const withBuiltMap = (entry) => ({
  name: 'with-built-map',
  setup({ onLoad }) {
    onLoad({ filter: /\.c?js$/ }, ({ path }) => {
      const map = `maps/${basename(path)}.map`
      if (path !== entry || !existsSync(`${dirname(path)}/${map}`)) return undefined
      const code = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
      return { contents: `${code}//# sourceMappingURL=${map}\n`, resolveDir: dirname(path) }
    })
  },
})

/** @param {string} entry */
async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile: 'entry.js',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['undici'],
    plugins: [withBuiltMap(entry), loadedLaterStaysOutside],
    legalComments: 'none',
    sourcemap: 'external',
    write: false,
    logLevel: 'error',
  })
  /** @param {string} end */
  const file = (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { code: file('.js'), map: JSON.parse(file('.map')) }
}

/** A package, or a room of the house. @param {string} source */
function partOf(source) {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  const [, room] = /(src\/[^/]+)/.exec(source) ?? []
  return name ?? room ?? 'not known'
}

/** Minified characters by part, the biggest first. @param {{ code: string, map: any }} bundled */
function parts({ code, map }) {
  const origins = new SourceMap(map)
  /** @type {Map<string, number>} */
  const sizes = new Map()
  for (const [line, text] of code.split('\n').entries()) {
    for (let column = 0; column < text.length; column++) {
      const entry = origins.findEntry(line, column)
      const part = 'originalSource' in entry ? partOf(entry.originalSource ?? '') : 'not known'
      sizes.set(part, (sizes.get(part) ?? 0) + 1)
    }
  }
  return [...sizes].sort(([, a], [, b]) => b - a)
}

/** What is wrong with a size, in one sentence; undefined when nothing is. @param {number} size @param {number} record */
function complaint(size, record) {
  const accept = 'if that is worth it, accept it with "npm run size -- --update"'
  if (size > mostBytes) {
    return `it is ${bytes(size - mostBytes)} over the limit of ${bytes(mostBytes)}: make it smaller, the limit stays.`
  }
  if (size <= record * (1 + mostGrowth)) return undefined
  const percent = ((size / record - 1) * 100).toFixed(1)
  return `it has grown by ${bytes(size - record)} (${percent} %) since the ${bytes(record)} on record, and 5 % is the limit: ${accept}.`
}

if (!existsSync(values.entry)) {
  console.error('There is nothing to weigh: run "npm run build" first.')
  process.exit(1)
}
const bundled = await bundle(values.entry)
const size = gzipSync(bundled.code, { level: 9 }).length
console.log(`main entry, minified and gzipped: ${bytes(size)} (limit ${bytes(mostBytes)})`)
console.log(`minified: ${bytes(Buffer.byteLength(bundled.code))}, of which`)
for (const [part, length] of parts(bundled).slice(0, 12)) {
  console.log(`${length.toLocaleString('en').padStart(8)}  ${part}`)
}

const record = values.update ? size : JSON.parse(readFileSync(values.limits, 'utf8')).mainEntryMinGzBytes
const wrong = complaint(size, record)
if (wrong !== undefined) {
  console.error(`The main entry is too big: ${wrong}`)
  process.exit(1)
}
if (values.update) writeFileSync(values.limits, `${JSON.stringify({ mainEntryMinGzBytes: size }, null, 2)}\n`)
else if (size < record * (1 - mostGrowth)) {
  console.log(
    `It is ${bytes(record - size)} smaller than on record: keep that with "npm run size -- --update".`,
  )
}
