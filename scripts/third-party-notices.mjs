// @ts-check
// THIRD-PARTY-NOTICES.md of each package: the libraries whose code is inside dist, with their licences. Written by
// `npm run reports`; with --check nothing is written, and a page that is not up to date is an error.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { bundled, folders, json } from './packages.mjs'

const root = new URL('../', import.meta.url)
/** Those of libraries that go into somebody else's product without a question. */
const licences = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD']

/** @param {string} name */
function licenceOf(name) {
  const folder = new URL(`node_modules/${name}/`, root)
  const { version, license } = json('package.json', folder)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(-mit)?(\.(md|txt))?$/i.test(entry))
  if (file === undefined || !licences.includes(license)) {
    throw new Error(
      `${name} has the licence ${license}, or ships no text of it: it can't go into the product of whoever installs us.`,
    )
  }
  return {
    version,
    license,
    text: readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n').trim(),
  }
}

/** @param {URL} folder */
function notices(folder) {
  const { name: self, dependencies = {} } = json('package.json', folder)
  const packages = bundled(folder).map((one) => ({ ...one, ...licenceOf(one.name) }))
  const beside = Object.keys(dependencies).map(
    (name) => ` \`${name}\` (${licenceOf(name).license}) is installed beside it.`,
  )
  const rows = packages.map(
    ({ name, version, license, files }) =>
      `| ${name} | ${version} | ${license} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
  )
  const texts = packages.map(
    ({ name, version, text }) => `## ${name} ${version}\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  )
  return `# Third-party notices

\`${self}\` carries code of these packages inside \`dist\`.${beside.join('')} Made by \`npm run build && npm run reports\`.

| package | version | licence | in \`dist\` |
|---|---|---|---|
${rows.join('\n')}

${texts.join('\n')}`
}

for (const folder of folders) {
  const file = new URL('THIRD-PARTY-NOTICES.md', folder)
  const wanted = notices(folder)
  if (!process.argv.includes('--check')) writeFileSync(file, wanted)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) {
    console.error(
      `${file.pathname} does not say what is in dist: run "npm run build && npm run reports", and commit it.`,
    )
    process.exitCode = 1
  }
}
