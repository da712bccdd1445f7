// @ts-check
// What one warm payins.create runs of this package: how many files, and how many of their functions, each counted
// once however often it runs. Prints both; with --list every function. node bench/create-path.mjs
import { readdir, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { idPayin, request } from './payloads.mjs'
import { startGateway } from './support/processes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
// Beside node_modules, where what is imported by name is found. Each source stays a file of its own.
const built = join(root, 'node_modules/.cache/create-path', String(process.pid))
/** In the order of the results: by file, then by where the function begins. @type {Map<string, string[]>} */
const ran = new Map()

/** @param {string} folder */
async function sources(folder) {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file))
}

const { gateway, origin } = await startGateway()
try {
  await build({
    entryPoints: await sources(join(root, 'src')),
    outdir: built,
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  // Before the import: functions that were compiled without it have no count of their own.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  /** @type {typeof import('merchant-gateway')} */
  const { GatewayClient } = await import(pathToFileURL(join(built, 'index.js')).href)
  const signer = { sign: async () => new Uint8Array(256) }
  const client = new GatewayClient({ baseUrl: origin, merchantCode: 'M-0001', signer, live: false })
  const create = () => client.payins.create({ idPayin, ...request })
  // Warm: the token and the connection are there.
  await create()
  await create()
  // Takes the counts back to nothing.
  await session.post('Profiler.takePreciseCoverage')
  await create()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await client.close()
  for (const { url, functions } of result) {
    if (!url.startsWith(pathToFileURL(built).href)) continue
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || '(anonymous)')
    if (names.length > 0) ran.set(url.slice(pathToFileURL(built).href.length + 1), names)
  }
} finally {
  await gateway.end()
  await rm(built, { recursive: true, force: true })
}

const files = [...ran].sort(([a], [b]) => (a < b ? -1 : 1))
if (process.argv.includes('--list')) {
  for (const [file, names] of files) console.log(`${file} (${names.length})\n  ${names.join(', ')}`)
}
const functions = files.reduce((sum, [, names]) => sum + names.length, 0)
console.log(`a warm create runs ${files.length} files and ${functions} functions`)
