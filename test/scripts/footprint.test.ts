import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { root } from '../support/root.js'

interface Loaded {
  readonly files: readonly string[]
  readonly bundled: readonly string[]
  readonly builtins: readonly string[]
}

/** What the engine of a fresh process parses when it loads the main entry. */
function loadedBy(format: string): Loaded {
  const worker = 'bench/footprint/workers/modules.mjs'
  const { stdout, stderr } = spawnSync(process.execPath, [worker, 'merchant-gateway', format], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe.each([
  ['import', 'esm', 'dist/index.js'],
  ['require', 'cjs', 'dist/index.cjs'],
])('%s of the main entry', { timeout: 60_000 }, (_, format, entry) => {
  test('loads one file', () => {
    const { files } = loadedBy(format)
    expect(files).toHaveLength(1)
    expect(files[0]).toMatch(new RegExp(`/${entry}$`))
  })

  test('brings neither undici nor the sandbox nor OpenTelemetry', () => {
    const { bundled } = loadedBy(format)
    expect(bundled.length).toBeGreaterThan(50)
    expect(bundled.filter((source) => /\/undici\/|\/sandbox\/|opentelemetry/.test(source))).toEqual([])
  })

  test('leaves the costly modules of Node to whoever needs them', () => {
    const { builtins } = loadedBy(format)
    expect(builtins.filter((name) => ['crypto', 'net', 'stream'].includes(name))).toEqual([])
  })
})
