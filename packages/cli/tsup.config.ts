import { defineConfig, type Options } from 'tsup'

// The client stays outside: it is a peer, and the command runs the one that is installed.
const shared: Options = {
  target: 'node20',
  platform: 'node',
  metafile: true,
  silent: true,
  external: [/^merchant-gateway(\/|$)/, 'undici'],
  noExternal: [
    'commander',
    'cli-progress',
    'string-width',
    'csv-parse',
    'csv-stringify',
    'p-throttle',
    'zod',
  ],
}

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', bin: 'src/bin.ts' },
    format: 'esm',
    // Each command loads what it needs when it runs: a help is there in half the time.
    splitting: true,
    // commander and cli-progress are CommonJS and require modules of Node.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
  },
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    format: 'cjs',
    splitting: false,
    // Once, for both formats: scripts/build.mjs.
    dts: {
      entry: { index: 'src/index.ts' },
      compilerOptions: {
        ignoreDeprecations: '6.0',
        paths: {},
        stripInternal: true,
      },
    },
  },
])
