import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** The other entries use the client that the main entry holds, and carry no copy of it. */
const mainEntryStaysOutside = (extension: string): Plugin => ({
  name: 'main-entry-stays-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({
      path: `../index.${extension}`,
      external: true,
    }))
  },
})

/** The command line runs the entries as they are installed. */
const entriesStayOutside: Plugin = {
  name: 'entries-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/(?:(?:sandbox|callbacks)\/)?index\.js$/ }, ({ path }) => ({
      path,
      external: true,
    }))
  },
}

// jose, zod, p-retry and p-throttle are development dependencies and end up inside dist;
// undici is installed beside the package and loaded at the first request.
const shared: Options = {
  entry: {
    index: 'src/index.ts',
    'callbacks/index': 'src/callbacks/index.ts',
    'sandbox/index': 'src/sandbox/index.ts',
  },
  target: 'node20',
  platform: 'node',
  // Split CJS is rewritten by sucrase, which breaks the classes of jose.
  splitting: false,
  sourcemap: true,
  silent: true,
  external: ['undici'],
  // stripInternal: nothing of the bundled libraries is in the declarations.
  dts: { compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
  noExternal: ['jose', 'zod', 'p-retry', 'p-throttle', 'is-network-error'],
}

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    esbuildPlugins: [mainEntryStaysOutside('js')],
  },
  { ...shared, format: 'cjs', esbuildPlugins: [mainEntryStaysOutside('cjs')] },
  {
    entry: { 'cli/index': 'src/cli/index.ts' },
    format: 'esm',
    target: 'node20',
    platform: 'node',
    splitting: false,
    silent: true,
    noExternal: ['commander'],
    // commander is CommonJS and requires modules of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    esbuildPlugins: [entriesStayOutside],
  },
])
