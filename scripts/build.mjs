// @ts-check
// Builds the four packages: npm run build. Each has a dist of its own, with its declarations and its SBOM.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildPage } from './build-page.mjs'
import { folders } from './packages.mjs'
import { writeSbom } from './sbom.mjs'

const tsup = fileURLToPath(new URL('../node_modules/tsup/dist/cli-default.js', import.meta.url))

/**
 * The declarations stand in a package once: those for import pass on those for require. A class is then the same type
 * whichever way it was loaded, and an ES module may name what a CommonJS one declares.
 *
 * @param {URL} folder
 */
function declareOnce(folder) {
  /** @type {{ exports: Record<string, string | { import: { types: string }, require: { types: string } }> }} */
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  for (const entry of Object.values(exports)) {
    if (typeof entry === 'string') continue
    const declared = readFileSync(new URL(entry.require.types, folder), 'utf8')
    if (/\bexport default\b|\bas default\b/.test(declared)) {
      throw new Error(`${entry.require.types} has a default export, which "export *" does not pass on.`)
    }
    writeFileSync(new URL(entry.import.types, folder), "export * from './index.cjs'\n")
  }
}

for (const folder of folders) {
  // Declaration files have names with hashes: old ones would stay and be packed.
  rmSync(new URL('dist', folder), { recursive: true, force: true })
  execFileSync(process.execPath, [tsup], { cwd: fileURLToPath(folder), stdio: 'inherit' })
  declareOnce(folder)
}
await buildPage()
for (const folder of folders) writeSbom(folder)
