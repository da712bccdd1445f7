// @ts-check
// THIRD-PARTY-NOTICES.md of both packages: the packages whose code is inside dist, with their licences. Read from
// the source maps of what was built and not from package.json, so that nothing bundled is missing and nothing else
// is named. npm run notices [-- --check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = new URL('../', import.meta.url)
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    /** Where the notices are, in place of beside package.json: for tests. */
    out: { type: 'string', default: fileURLToPath(root) },
  },
})

const about = {
  '': '`merchant-gateway` carries code of these packages inside `dist`. `undici` is not among them: it is installed beside the package, with its own licence.',
  'sandbox/': '`merchant-gateway-sandbox` carries code of these packages inside `dist`.',
}

/** The packages that paths of sources lead into. @param {readonly string[]} sources */
function packagesIn(sources) {
  const names = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

/** Which files of dist each package is in. @param {string} folder */
function bundled(folder) {
  const dist = new URL(`${folder}dist/`, root)
  /** @type {Map<string, string[]>} */
  const files = new Map()
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const file of built.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (!/\.c?js$/.test(file)) continue
    const map = new URL(`maps/${file}.map`, dist)
    if (!existsSync(map)) throw new Error(`${folder}dist/${file} has no source map.`)
    for (const name of packagesIn(JSON.parse(readFileSync(map, 'utf8')).sources)) {
      files.set(name, [...(files.get(name) ?? []), file])
    }
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

/** @param {'' | 'sandbox/'} folder */
function notices(folder) {
  const packages = bundled(folder).map(([name, files]) => ({ name, files, ...licenceOf(name) }))
  const rows = packages.map(
    ({ name, version, license, files }) =>
      `| ${name} | ${version} | ${license} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
  )
  const texts = packages.map(
    ({ name, version, text }) => `## ${name} ${version}\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  )
  return `# Third-party notices

${about[folder]} Made by \`npm run build && npm run notices\`.

| package | version | licence | in \`dist\` |
|---|---|---|---|
${rows.join('\n')}

${texts.join('\n')}`
}

if (!existsSync(new URL('dist/index.js', root))) {
  console.error('There is nothing to read: run "npm run build" first.')
  process.exit(1)
}
for (const folder of /** @type {const} */ (['', 'sandbox/'])) {
  const file = `${values.out}${folder}THIRD-PARTY-NOTICES.md`
  const wanted = notices(folder)
  if (!values.check) {
    writeFileSync(file, wanted)
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) {
    console.error(
      `${folder}THIRD-PARTY-NOTICES.md does not say what is in dist: run "npm run build && npm run notices" and commit it.`,
    )
    process.exitCode = 1
  }
}
