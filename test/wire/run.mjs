// @ts-check
// A campaign over real sockets, against what is built: node test/wire/run.mjs
//   node test/wire/run.mjs --only bytes             every fault at every byte; --step 7: at every seventh
//   node test/wire/run.mjs --only leaks             100,000 calls, or as many as --calls says
//   node test/wire/run.mjs --over 'fetch, TLS'      one way to the gateway, of four
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = import.meta.dirname
const root = join(here, '../..')
// Below the package, so that the dependencies are found from there.
const folder = join(root, 'node_modules/.cache', `merchant-gateway-wire-${process.pid}`)
const file = join(folder, 'wire.mjs')

/** What is shipped, in place of its sources. */
const built = {
  name: 'built',
  /** @param {import('esbuild').PluginBuild} bundling */
  setup(bundling) {
    bundling.onResolve({ filter: /\/src\/(sandbox\/)?index\.js$/ }, ({ path }) => ({
      path: pathToFileURL(join(root, path.includes('sandbox') ? 'packages/sandbox' : '', 'dist/index.js'))
        .href,
      external: true,
    }))
  },
}

process.exitCode = 1
try {
  await build({
    entryPoints: [join(here, 'main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [built],
  })
  const { writeCertificates } = await import(pathToFileURL(file).href)
  await writeCertificates(folder)
  // Whom a process trusts is read when it starts.
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(here, 'child.mjs'), file, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'trusted.pem') },
    },
  )
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
} finally {
  await rm(folder, { recursive: true, force: true })
}
