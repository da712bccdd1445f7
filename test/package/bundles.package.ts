import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build as buildWithEsbuild } from 'esbuild'
import { build as buildWithVite } from 'vite'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { program, takePayin } from './setup/probes.js'
import { project } from './setup/project.js'
import { nodes, oldestNode } from './setup/tools.js'

// undici is CommonJS and requires modules of Node, which an ES module of esbuild can't do by itself.
const banner = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"

type Bundler = (project: string, outdir: string) => Promise<unknown>

const esbuild =
  (options: { readonly format: 'esm' | 'cjs'; readonly minify?: boolean }): Bundler =>
  (source, outdir) =>
    buildWithEsbuild({
      ...options,
      entryPoints: [join(source, 'take-a-payin.js')],
      outfile: join(outdir, 'bundle.js'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      logLevel: 'warning',
      ...(options.format === 'esm' ? { banner: { js: banner } } : {}),
    })

const vite: Bundler = (source, outDir) =>
  buildWithVite({
    root: source,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'take-a-payin.js',
      outDir,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'bundle.js' } },
    },
  })

const cases: readonly [string, 'module' | 'commonjs', Bundler][] = [
  ['esbuild, as an ES module', 'module', esbuild({ format: 'esm' })],
  ['esbuild, as an ES module, minified', 'module', esbuild({ format: 'esm', minify: true })],
  ['esbuild, as CommonJS', 'commonjs', esbuild({ format: 'cjs' })],
  ['vite, for a server', 'module', vite],
]

let sources = { module: '', commonjs: '' }
/** Far from every node_modules: what a bundle does not bring along, it does not find. */
let bundles = ''
beforeAll(async () => {
  const installed = inject('installedAlone')
  sources = {
    module: await project('esm', { installed, as: 'bundled-esm' }),
    commonjs: await project('cjs', { installed, as: 'bundled-cjs' }),
  }
  bundles = await mkdtemp(join(tmpdir(), 'merchant-gateway-bundles-'))
})
afterAll(() => rm(bundles, { recursive: true, force: true }))

test.for(cases)('a program bundled by %s, undici and all, takes a payin', async ([, type, bundle]) => {
  const folder = await mkdtemp(join(bundles, 'bundle-'))
  await bundle(sources[type], folder)
  expect(await readdir(folder)).toContain('bundle.js')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }))
  for (const runtime of [oldestNode, ...nodes.slice(-1)]) {
    const { seen, wanted } = await takePayin(program(runtime, folder, 'bundle.js'))
    expect(seen).toEqual(wanted)
  }
})
