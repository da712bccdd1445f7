import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { root } from '../../../test/support/root.js'

/**
 * The command as a program of one file, made from the sources: its tests need no build. It stands below a
 * `package.json` as the published one does.
 */
export function builtFromSources(packageFolder: string, entry: string): string {
  const folder = join(root, packageFolder)
  const file = join(folder, `node_modules/.test/${process.pid}/dist/bin.js`)
  if (existsSync(file)) return file
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(folder, 'package.json'), join(dirname(file), '../package.json'))
  buildSync({
    entryPoints: [join(folder, entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['undici'],
    tsconfig: join(root, 'tsconfig.json'),
    // Some libraries are CommonJS and require modules of Node.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
  })
  return file
}
