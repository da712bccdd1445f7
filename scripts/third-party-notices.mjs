// @ts-check
// THIRD-PARTY-NOTICES.md: the packages whose code is inside dist, with their licences. Read from what was
// built and not from package.json, so that nothing bundled is missing and nothing else is named.
// npm run notices [-- --check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = new URL('../', import.meta.url)
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    file: { type: 'string', default: fileURLToPath(new URL('THIRD-PARTY-NOTICES.md', root)) },
  },
})

/** The packages that paths of sources lead into. @param {readonly string[]} sources */
function packagesIn(sources) {
  const names = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

const page = fileURLToPath(new URL('sandbox/src/desk/page/', root))
/** What is built without a source map: esbuild tells its sources once more, and writes nothing. */
const withoutMap = {
  'cli/index.js': {
    entryPoints: [fileURLToPath(new URL('src/cli/index.ts', root))],
    // By name: a star would match every package whose file is called index.js, too.
    external: [
      ...['undici', 'bullmq', 'ioredis', 'pg', 'redis'],
      ...['', 'callbacks/', 'sandbox/', 'jobs/', 'bullmq/', 'redis/', 'postgres/'].flatMap((entry) => [
        `../${entry}index.js`,
        `../../${entry}index.js`,
      ]),
      // In a file of its own: dist/csv-library.cjs.
      'csv-parse/sync',
    ],
  },
  'sandbox/page/page.js': {
    entryPoints: [`${page}main.tsx`],
    jsx: /** @type {const} */ ('automatic'),
    jsxImportSource: 'preact',
    tsconfig: `${page}tsconfig.json`,
  },
}

/** The sources of a file of dist. @param {string} file @returns {Promise<string[]>} */
async function sourcesOf(file) {
  const map = new URL(`dist/maps/${file}.map`, root)
  if (existsSync(map)) return JSON.parse(readFileSync(map, 'utf8')).sources
  const options = Object.entries(withoutMap).find(([name]) => name === file)?.[1]
  if (options === undefined)
    throw new Error(`dist/${file} has no source map, and nothing says what it is made of.`)
  const { metafile } = await build({
    ...options,
    outdir: 'made-again',
    bundle: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  const [output] = Object.values(metafile.outputs)
  const inputs = Object.entries(output?.inputs ?? {})
  return inputs.flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : []))
}

/** Which files of dist each package is in. */
async function bundled() {
  /** @type {Map<string, string[]>} */
  const files = new Map()
  const note = (/** @type {readonly string[]} */ sources, /** @type {string} */ file) => {
    for (const name of packagesIn(sources)) files.set(name, [...(files.get(name) ?? []), file])
  }
  const dist = new URL('dist/', root)
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  for (const file of built.filter((name) => /\.c?js$/.test(name)).sort()) {
    note(await sourcesOf(file), file)
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** @param {string} name */
function licenceOf(name) {
  const folder = new URL(`node_modules/${name}/`, root)
  const { version, license } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(-mit)?(\.(md|txt))?$/i.test(entry))
  if (file === undefined || typeof license !== 'string') throw new Error(`${name} ships no licence text.`)
  return {
    version,
    license,
    text: readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n').trim(),
  }
}

async function notices() {
  const packages = (await bundled()).map(([name, files]) => ({ name, files, ...licenceOf(name) }))
  const rows = packages.map(
    ({ name, version, license, files }) =>
      `| ${name} | ${version} | ${license} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
  )
  const texts = packages.map(
    ({ name, version, text }) => `## ${name} ${version}\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  )
  return `# Third-party notices

\`merchant-gateway\` carries code of these packages inside \`dist\`. \`undici\` is not among them: it is installed beside the package, with its own licence. Made by \`npm run build && npm run notices\`.

| package | version | licence | in \`dist\` |
|---|---|---|---|
${rows.join('\n')}

${texts.join('\n')}`
}

if (!existsSync(new URL('dist/index.js', root))) {
  console.error('There is nothing to read: run "npm run build" first.')
  process.exit(1)
}
const wanted = await notices()
if (!values.check) {
  writeFileSync(values.file, wanted)
} else if (!existsSync(values.file) || readFileSync(values.file, 'utf8') !== wanted) {
  console.error(
    'THIRD-PARTY-NOTICES.md does not say what is in dist: run "npm run build && npm run notices" and commit it.',
  )
  process.exit(1)
}
