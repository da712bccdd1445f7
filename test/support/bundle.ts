import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './root.js'

/**
 * Writes a program and all that it imports, the client from its sources, into one file: a test that starts it many
 * times would else wait for the loading of modules.
 */
export async function bundle(
  program: string | { readonly contents: string; readonly resolveDir: string },
  outfile: string,
  external: readonly string[] = [],
): Promise<void> {
  await build({
    ...(typeof program === 'string' ? { entryPoints: [program] } : { stdin: program }),
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Its `paths` name the sources of each entry.
    tsconfig: join(root, 'tsconfig.json'),
    external: ['pg-native', ...external],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url)" },
    logLevel: 'error',
  })
}
