import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** The path of a source as this file writes it. */
const sourceOf = (path: string) => relative(import.meta.dirname, path).replaceAll('\\', '/')

/**
 * Leaves an import of one of these sources an import: of the file of dist that it becomes. tsup's own splitting does
 * not do, see docs/decisions/0002.
 */
const staysOutside = (outside: Readonly<Record<string, string>>): Plugin => ({
  name: 'stays-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const source = sourceOf(resolve(resolveDir, path))
      const file = Object.hasOwn(outside, source) ? outside[source] : undefined
      return file === undefined ? undefined : { path: file, external: true }
    })
  },
})

/** The other entries use the client that the main entry holds, and carry no copy of it. */
const mainEntry = (extension: string) => ({
  'src/index.js': `../index.${extension}`,
  'src/jobs/index.js': `../jobs/index.${extension}`,
})

/**
 * What several entries are made of: in the package once for each format. The entry of a part lists the sources that it
 * holds; what stands where the part does has its own, as the main entry has.
 */
const parts = {
  'shared/input': { entry: 'src/client/input/for-entries.ts', stands: /^src\/(?:client\/|index\.ts$)/ },
  'shared/stores': {
    entry: 'src/stores/for-stores.ts',
    stands: /^src\/stores\/(?!redis\/|postgres\/)/,
  },
}
const partEntries = Object.fromEntries(Object.entries(parts).map(([name, { entry }]) => [name, entry]))

const importsParts = (extension: string): Plugin => {
  const held = Object.entries(parts).map(([name, { entry, stands }]) => {
    const exported = readFileSync(join(import.meta.dirname, entry), 'utf8').matchAll(/from '(.+)'/g)
    const sources = [...exported].map(([, path = '']) =>
      sourceOf(resolve(import.meta.dirname, entry, '..', path)),
    )
    return { file: `../${name}.${extension}`, stands, sources }
  })
  return {
    name: 'imports-parts',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
        const source = sourceOf(resolve(resolveDir, path))
        const part = held.find(
          ({ sources, stands }) => sources.includes(source) && !stands.test(sourceOf(importer)),
        )
        return part === undefined ? undefined : { path: part.file, external: true }
      })
    },
  }
}

const entries = {
  index: 'src/index.ts',
  'callbacks/index': 'src/callbacks/index.ts',
  'opentelemetry/index': 'src/opentelemetry/index.ts',
  'redis/index': 'src/stores/redis/index.ts',
  'postgres/index': 'src/stores/postgres/index.ts',
  'jobs/index': 'src/jobs/index.ts',
  'bullmq/index': 'src/jobs/bullmq/index.ts',
}

// jose, zod, p-retry and p-throttle are development dependencies and end up inside dist;
// undici is installed beside the package and loaded at the first request.
const shared: Options = {
  entry: { ...entries, ...partEntries },
  target: 'node20',
  platform: 'node',
  // Split CJS is rewritten by sucrase, which breaks the classes of jose.
  splitting: false,
  metafile: true,
  silent: true,
  external: ['undici', '@opentelemetry/api', 'bullmq'],
  noExternal: ['jose', 'zod', 'p-retry', 'p-throttle', 'is-network-error'],
}

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    esbuildPlugins: [importsParts('js'), staysOutside(mainEntry('js'))],
  },
  {
    ...shared,
    format: 'cjs',
    // Once, for both formats: scripts/build.mjs. stripInternal: nothing of the bundled libraries is in them.
    dts: { entry: entries, compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
    entry: { ...entries, ...partEntries },
    esbuildPlugins: [importsParts('cjs'), staysOutside(mainEntry('cjs'))],
    esbuildOptions: (options) => {
      // undici is required where the ES module imports it: test runners that run CommonJS in a context of their
      // own have no import().
      options.supported = { ...options.supported, 'dynamic-import': false }
    },
  },
])
