import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import sandbox from '../../packages/sandbox/package.json' with { type: 'json' }

// What `npm run build` has built, as users get it.
const root = new URL('../../', import.meta.url)
const path = (file: string) => fileURLToPath(new URL(file, root))
const require = createRequire(import.meta.url)
const entries = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith('.json') && name !== './sandbox')
  .map((name) => manifest.name + name.slice(1))
  .concat(sandbox.name)

function files(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(files) : []
}

describe('the built package', () => {
  test.each([
    ...[...files(manifest.exports), ...files(manifest.bin), manifest.main, manifest.types],
    ...[...files(sandbox.exports), ...files(sandbox.bin), sandbox.main, sandbox.types].map((file) =>
      file.replace('./', './sandbox/'),
    ),
  ])('has %s', (file) => {
    expect(existsSync(path(file))).toBe(true)
  })

  test('says where the sandbox went', () => {
    expect(() => require('merchant-gateway/sandbox')).toThrow(
      'merchant-gateway/sandbox is a package of its own: "npm install -D merchant-gateway-sandbox"',
    )
    expect(sandbox.version).toBe(manifest.version)
  })

  test.each(entries)('%s has the same names for import and for require (PEER 32)', async (entry) => {
    const imported: object = await import(entry)
    const required: object = require(entry)
    expect(Object.keys(required).sort()).toEqual(Object.keys(imported).sort())
  })

  test('declares nothing of the libraries that are bundled into it', () => {
    const folders = [
      'dist/',
      'dist/callbacks/',
      'packages/sandbox/dist/',
      'dist/opentelemetry/',
      'dist/jobs/',
      'dist/bullmq/',
      'dist/books/',
      'dist/payment-log/',
    ]
    const declarations = folders.flatMap((folder) =>
      readdirSync(path(folder))
        .filter((name) => /\.d\.c?ts$/.test(name))
        .map((name) => readFileSync(path(folder + name), 'utf8')),
    )
    expect(declarations.length).toBeGreaterThanOrEqual(8)
    for (const text of declarations) {
      expect(text).not.toMatch(
        /from ['"](?:zod|jose|p-retry|p-throttle|bullmq|ioredis|pg|hono|express|fastify)/,
      )
    }
  })
})
