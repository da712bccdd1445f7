// @ts-check
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = import.meta.dirname

/**
 * One file of the simulation and of the sources that it plays. Bundled, a dynamic import takes no time of the real
 * world, which would make two runs differ.
 *
 * @param {import('esbuild').Plugin[]} [plugins]
 * @param {string} [entry]
 * @returns {Promise<{ load(): Promise<any>, remove(): Promise<void>, file: string }>}
 */
export async function bundle(plugins = [], entry = join(here, 'main.ts')) {
  const folder = await mkdtemp(join(tmpdir(), 'merchant-gateway-simulation-'))
  const file = join(folder, 'simulation.mjs')
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    external: ['undici'],
    alias: {
      'node:async_hooks': resolve(here, 'world/async-hooks.ts'),
      'node:timers/promises': resolve(here, 'world/timers-promises.ts'),
    },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
    plugins,
  })
  return {
    file,
    load: () => import(pathToFileURL(file).href),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
