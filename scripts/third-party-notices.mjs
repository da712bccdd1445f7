// @ts-check
// THIRD-PARTY-NOTICES.md of both packages: the packages whose code is inside dist, with their licences.
// npm run notices [-- --check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundled } from './bundled.mjs'

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
