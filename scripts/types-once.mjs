// @ts-check
// The declarations stand in the package once: those for import pass on those for require. A class is then the same
// type whichever way it was loaded, and an ES module may name what a CommonJS one declares, but not the other way
// round where a compiler takes Node 16 for its measure.
import { readFileSync, writeFileSync } from 'node:fs'

const [folder = '.'] = process.argv.slice(2)
const root = new URL(`../${folder}/`, import.meta.url)
/** @type {{ exports: Record<string, string | { import: { types: string }, require: { types: string } }> }} */
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

for (const entry of Object.values(exports)) {
  if (typeof entry === 'string') continue
  const whole = entry.require.types
  const declared = readFileSync(new URL(whole, root), 'utf8')
  if (/\bexport default\b|\bas default\b/.test(declared)) {
    throw new Error(`${whole} has a default export, which "export *" does not pass on.`)
  }
  writeFileSync(new URL(entry.import.types, root), "export * from './index.cjs'\n")
}
