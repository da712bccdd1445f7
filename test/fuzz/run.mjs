// @ts-check
// Reads changed files of the corpus with everything that reads bytes from outside:
//   node test/fuzz/run.mjs --minutes 10 --seed 1
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'

const here = import.meta.dirname
const folder = join(here, '../../node_modules/.cache', `merchant-gateway-fuzz-${process.pid}`)
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('--minutes takes a number, --seed a whole one.')
/** Longer than a reader may take, so that what is over it never ends. */
const hangMs = 30_000
let findings = 0

/** @param {string} reader @param {string} says @param {Uint8Array} bytes */
function keep(reader, says, bytes) {
  findings++
  const name = `found-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`
  const file = join(here, 'corpus', reader, name)
  mkdirSync(join(here, 'corpus', reader), { recursive: true })
  writeFileSync(file, bytes)
  console.error(
    `${reader}: ${says}. Kept, and read by the tests from now on: ${relative(process.cwd(), file)}`,
  )
}

try {
  await build({
    entryPoints: [join(here, 'worker.ts'), join(here, 'readers.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  const { readers } = await import(join(folder, 'readers.mjs'))
  const shared = new SharedArrayBuffer(64 * 1024)
  const head = new Int32Array(shared, 0, 3)
  const worker = new Worker(join(folder, 'worker.mjs'), {
    workerData: { seed, ms: minutes * 60_000, shared },
    env: { ...process.env, FUZZ_CORPUS: join(here, 'corpus') },
  })
  /** @type {Record<string, number>} */
  let counts = {}
  let [last, since] = [-1, performance.now()]
  const watch = setInterval(() => {
    if (head[0] !== last) [last, since] = [head[0], performance.now()]
    if (performance.now() - since < hangMs) return
    keep(readers[head[1]].name, 'it never ends', new Uint8Array(shared, 12, head[2]).slice())
    void worker.terminate()
  }, 1000)
  worker.on('message', (message) => {
    if (message.counts) counts = message.counts
    else if (message.unhandled) {
      findings++
      console.error(`a rejection that nobody handled: ${message.unhandled}`)
    } else keep(message.reader, message.says, message.bytes)
  })
  worker.on('error', (error) => {
    keep(readers[head[1]].name, `it crashes (${error.name})`, new Uint8Array(shared, 12, head[2]).slice())
  })
  await new Promise((resolve) => worker.once('exit', resolve))
  clearInterval(watch)
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  for (const [name, count] of Object.entries(counts)) console.log(`${name}: ${count}`)
  console.log(
    `${total} inputs to ${readers.length} readers in ${minutes} minute(s), seed ${seed}: ${findings} finding(s).`,
  )
  process.exitCode = findings > 0 || total === 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
