import { resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** The command runs the sandbox as it is installed, and carries no copy of it. */
const sandboxStaysOutside: Plugin = {
  name: 'sandbox-stays-outside',
  setup(build) {
    const entry = resolve(import.meta.dirname, 'src/index.js')
    build.onResolve({ filter: /^\.\.?\/.*index\.js$/ }, ({ path, resolveDir }) =>
      resolve(resolveDir, path) === entry ? { path: '../index.js', external: true } : undefined,
    )
  },
}

const shared: Options = {
  target: 'node20',
  platform: 'node',
  splitting: false,
  sourcemap: true,
  silent: true,
}

const entry = { index: 'src/index.ts' }

export default defineConfig([
  { ...shared, entry, format: 'esm' },
  {
    ...shared,
    entry,
    format: 'cjs',
    // Once, for both formats: scripts/types-once.mjs.
    dts: { entry, compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
  },
  {
    ...shared,
    entry: { 'cli/index': 'src/cli/index.ts' },
    format: 'esm',
    // The client of `trigger` sends by `fetch`, so undici is never loaded.
    external: ['undici'],
    noExternal: ['commander', 'jose', 'zod', 'p-retry', 'is-network-error'],
    // commander is CommonJS and requires modules of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
    esbuildPlugins: [sandboxStaysOutside],
  },
])
