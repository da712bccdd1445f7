// @ts-check
// Makes a release of the notes in .changeset, to be read and committed: npm run release. changesets decides the version
// and writes it into the four manifests; here the rest follows: the lock, the version that the client sends, the
// changelog. With --show nothing is written: it says which version the notes make.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withRelease } from './changelog.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/**
 * changesets finds the package at the root of an npm workspace by this file alone. It is there while changesets runs.
 * @param {string[]} args
 */
function changeset(...args) {
  writeFileSync('pnpm-workspace.yaml', "packages: ['.', 'packages/*']\n")
  try {
    const program = '.changeset/node_modules/@changesets/cli/bin.js'
    execFileSync(process.execPath, [program, ...args], { stdio: 'inherit' })
  } finally {
    rmSync('pnpm-workspace.yaml')
  }
}

/**
 * What changesets makes of the notes: which packages get which version, and the notes themselves.
 * @returns {{ releases: { newVersion: string }[], changesets: { id: string, summary: string, releases: unknown[] }[] }}
 */
function plan() {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    const file = join(folder, 'plan.json')
    changeset('status', '--output', file)
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} file @param {(text: string) => string} change */
const rewrite = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')))

const { releases, changesets } = plan()
const version = releases[0]?.newVersion
if (version === undefined)
  throw new Error('No note in .changeset asks for a version: there is nothing to release.')
if (process.argv.includes('--show')) {
  console.info(`The notes in .changeset make version ${version}.`)
  process.exit()
}
const notes = changesets.filter((note) => note.releases.length > 0)
const day = new Date().toISOString().slice(0, 10)

// The changelog first: a note that it can't take ends this before anything else is written.
rewrite('CHANGELOG.md', (changelog) => withRelease(changelog, notes, version, day))
changeset('version')
rewrite('src/client/http/headers.ts', (source) =>
  source.replace(/^export const version = '.*'$/m, `export const version = '${version}'`),
)
// Not by npm: each of its versions writes other fields of the packages below.
rewrite('package-lock.json', (lock) => {
  const { packages, ...rest } = JSON.parse(lock)
  for (const folder of ['', 'packages/sandbox', 'packages/cli', 'packages/signer']) {
    packages[folder].version = version
    const { peerDependencies: peers } = packages[folder]
    if (peers?.['merchant-gateway'] !== undefined) peers['merchant-gateway'] = version
  }
  return `${JSON.stringify({ ...rest, version, packages }, null, 2)}\n`
})
console.info(`Read CHANGELOG.md, then commit all of it as version ${version} and tag it v${version}.`)
