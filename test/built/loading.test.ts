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

const built = (name: string) => new RegExp(`(?:^|/)(?:dist|src)/${name}`)
/** What is loaded when it is needed, and by nobody else. */
const later = {
  undici: /\/undici\//,
  openTelemetry: /\/@opentelemetry\//,
  engines: /\/node_modules\/(?:ioredis|redis|@redis|pg|bullmq)\//,
  sandbox: built('sandbox/'),
  callbacks: built('callbacks/'),
  instruments: built('opentelemetry/'),
  redis: built('stores/redis/'),
  postgres: built('stores/postgres/'),
}
/** An entry, a file that it needs, and what of the above is its own. */
const entries: readonly (readonly [entry: string, needs: string, own: readonly (keyof typeof later)[]])[] = [
  ['merchant-gateway', 'client/client', []],
  ['merchant-gateway/callbacks', 'callbacks/receiver', ['callbacks']],
  ['merchant-gateway-sandbox', 'gateway/engine/endpoints', ['sandbox']],
  ['merchant-gateway/opentelemetry', 'opentelemetry/index', ['openTelemetry', 'instruments']],
  ['merchant-gateway/redis', 'stores/redis/rate-limit', ['redis']],
  ['merchant-gateway/postgres', 'stores/postgres/rate-limit', ['postgres']],
  ['merchant-gateway/jobs', 'jobs/payment-job', []],
  ['merchant-gateway/bullmq', 'jobs/bullmq/processor', []],
]

describe.each(['esm', 'cjs'] as const)('as %s, nothing is loaded before it is needed', (format) => {
  test.each(entries)('by %s', async (entry, needs, own) => {
    const files = await loadedBy(entry, format)
    // That the files are seen at all.
    expect(files.some((file) => built(needs).test(file))).toBe(true)
    const foreign = Object.entries(later).filter(([name]) => !own.some((one) => one === name))
    for (const [name, pattern] of foreign)
      expect(
        files.filter((file) => pattern.test(file)),
        name,
      ).toEqual([])
    if (entry.endsWith('-sandbox'))
      expect(files.some((file) => built('client/client').test(file))).toBe(false)
  })
})
