import { defineConfig, type Options } from 'tsup'

// The client stays outside: it is a peer, and the command runs the one that is installed.
const shared: Options = {
  target: 'node20',
  platform: 'node',
  metafile: true,
  silent: true,
  external: [/^merchant-gateway(\/|$)/],
  noExternal: ['commander', 'zod'],
}

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', bin: 'src/bin.ts' },
    format: 'esm',
    // The function and the command share what they are made of.
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
