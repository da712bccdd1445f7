import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

// The debugger of a fresh process sees each file that an import makes the engine parse, and through the
// source maps what was bundled into it.
const worker = fileURLToPath(new URL('../../bench/workers/loaded-files.mjs', import.meta.url))

function loadedBy(entry: string, format: 'esm' | 'cjs'): Promise<string[]> {
  const child = fork(worker, [entry, format], { env: { PATH: process.env.PATH }, timeout: 30_000 })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('message', (message: { files: string[] }) => {
      child.disconnect()
      resolve(message.files)
    })
    child.on('exit', (code) => reject(new Error(`It told nothing and ended with ${code}.`)))
  })
}

const undici = /\/undici\//
const openTelemetry = /\/@opentelemetry\//
const stores = /node_modules\/(?:ioredis|redis|@redis|pg)\//
const bullmq = /\/node_modules\/bullmq\//
const built = (name: string) => new RegExp(`(?:^|/)(?:dist|src)/${name}`)
const entries: Readonly<Record<string, { readonly needs: RegExp; readonly later: readonly RegExp[] }>> = {
  'merchant-gateway': {
    needs: built('client/client\\.ts'),
    later: [undici, openTelemetry, built('sandbox/'), built('opentelemetry/'), built('callbacks/')],
  },
  'merchant-gateway/callbacks': {
    needs: built('callbacks/receiver\\.ts'),
    later: [undici, openTelemetry, built('sandbox/'), built('opentelemetry/')],
  },
  'merchant-gateway-sandbox': {
    needs: built('gateway/engine/endpoints\\.ts'),
    later: [undici, openTelemetry, built('client/client\\.ts'), built('opentelemetry/'), built('callbacks/')],
  },
  'merchant-gateway/opentelemetry': {
    needs: built('opentelemetry/index'),
    later: [undici, built('sandbox/'), built('callbacks/')],
  },
  'merchant-gateway/redis': {
    needs: built('stores/redis/rate-limit\\.ts'),
    later: [undici, openTelemetry, stores, built('sandbox/'), built('callbacks/'), built('stores/postgres/')],
  },
  'merchant-gateway/postgres': {
    needs: built('stores/postgres/rate-limit\\.ts'),
    later: [undici, openTelemetry, stores, built('sandbox/'), built('callbacks/'), built('stores/redis/')],
  },
  'merchant-gateway/jobs': {
    needs: built('jobs/payment-job\\.ts'),
    later: [undici, openTelemetry, bullmq, built('sandbox/'), built('callbacks/')],
  },
  'merchant-gateway/bullmq': {
    needs: built('jobs/bullmq/processor\\.ts'),
    later: [undici, openTelemetry, bullmq, built('sandbox/'), built('callbacks/')],
  },
}
const cases = Object.entries(entries).flatMap(([entry, files]) => [
  { way: 'import', entry, ...files },
  { way: 'require', entry, ...files },
])

describe('nothing is loaded before it is needed', () => {
  test.each(cases)('by $way of $entry', async ({ way, entry, needs, later }) => {
    const files = await loadedBy(entry, way === 'import' ? 'esm' : 'cjs')
    // That the files are seen at all.
    expect(files.some((file) => needs.test(file))).toBe(true)
    for (const pattern of later) expect(files.filter((file) => pattern.test(file))).toEqual([])
  })
})
