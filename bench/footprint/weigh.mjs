// @ts-check
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** @type {import('esbuild').Plugin} */
const loadedLaterStaysOutside = {
  name: 'loaded-later-stays-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * Bytes of a package's main entry as a bundle for Node, minified and gzipped: without what it imports later,
 * or as one file with it.
 *
 * @param {import('./install.mjs').Contender} contender
 * @param {{ beside?: string[], inOneFile?: boolean }} [options] `beside`: packages that stay outside
 */
export async function weigh({ name, folder }, { beside = [], inOneFile = false } = {}) {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(name)}`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    // Peers are the user's to install, and here nobody has.
    external: [...Object.keys(manifest.peerDependencies ?? {}), ...beside],
    plugins: inOneFile ? [] : [loadedLaterStaysOutside],
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

/** What a few lines weigh as a bundle. @param {string} contents @param {string} resolveDir */
export async function weighLines(contents, resolveDir) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
