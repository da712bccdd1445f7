// @ts-check
// The four packages, and which libraries' code is inside the dist of each.
import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)

/** The folder of each package. The root comes first: the others are built and packed against it. */
export const folders = ['', 'packages/sandbox/', 'packages/cli/', 'packages/signer/'].map(
  (folder) => new URL(folder, root),
)

/** @param {string} path below the root, or @param {URL} folder */
export const json = (path, folder = root) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'))

/**
 * The libraries whose code is inside dist, each with the files that it is in. Read from what the bundler wrote and not
 * from package.json, so that nothing bundled is missing and nothing else is named.
 *
 * @param {URL} folder
 */
export function bundled(folder) {
  const dist = new URL('dist/', folder)
  /** @type {Map<string, Set<string>>} */
  const files = new Map()
  for (const name of readdirSync(dist).filter((file) => /^metafile-.*\.json$/.test(file))) {
    /** @type {{ outputs: Record<string, { inputs: Record<string, unknown> }> }} */
    const { outputs } = json(name, dist)
    for (const [output, { inputs }] of Object.entries(outputs)) {
      // The names of shared parts hold a hash, which changes with what they hold.
      const shown = output.replace(/^.*?dist\//, '').replace(/-[A-Z0-9]{8}(?=\.)/, '-*')
      for (const input of Object.keys(inputs)) {
        const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
        if (library === undefined) continue
        files.set(library, (files.get(library) ?? new Set()).add(shown))
      }
    }
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, where]) => ({ name, files: [...where].sort() }))
}
