import { defineConfig, type Options } from 'tsup'

const shared: Options = {
  target: 'node20',
  platform: 'node',
  metafile: true,
  silent: true,
  noExternal: ['commander', 'zod'],
}

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', bin: 'src/cli/index.ts' },
    format: 'esm',
    splitting: true,
    // commander is CommonJS and requires modules of Node.
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
