// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * The file of a mutant, as the mutant has it.
 *
 * @param {import('./mutant.mjs').Mutant} mutant
 */
export function mutated({ name, file, edits }) {
  let source = readFileSync(join(root, file), 'utf8')
  for (const [search, replace] of edits) {
    if (source.split(search).length !== 2)
      throw new Error(`${name}: in ${file} there is not exactly one "${search}".`)
    source = source.replace(search, () => replace)
  }
  return source
}

/**
 * Puts a mutant in its place while esbuild bundles.
 *
 * @param {import('./mutant.mjs').Mutant} mutant
 * @returns {import('esbuild').Plugin}
 */
export function forEsbuild(mutant) {
  const place = join(root, mutant.file)
  return {
    name: mutant.name,
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === place ? { contents: mutated(mutant), loader: 'ts' } : undefined,
      )
    },
  }
}

/**
 * The same while vitest transforms.
 *
 * @param {import('./mutant.mjs').Mutant} mutant
 * @returns {import('vite').Plugin}
 */
export function forVite(mutant) {
  const place = join(root, mutant.file)
  return {
    name: mutant.name,
    enforce: 'pre',
    load: (id) => (id.split('?')[0] === place ? mutated(mutant) : undefined),
  }
}
