import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import tools from '../package/package.json' with { type: 'json' }
import toolsLock from '../package/package-lock.json' with { type: 'json' }
import { documents, unexpected } from '../package/setup/contents.js'
import { run } from '../package/setup/run.js'
import { root } from '../support/root.js'

test('the tarball holds dist, documents, guides and examples, and nothing else', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout)
  const paths = files.map(({ path }) => path)
  expect(unexpected(paths)).toEqual([])
  expect(paths).toEqual(expect.arrayContaining(documents))
})

test('each entry has types for import and for require', () => {
  const {
    './package.json': self,
    './sandbox': moved,
    './command-output.schema.json': outputs,
    ...entries
  } = manifest.exports
  expect(moved).toBe('./dist/sandbox-moved.cjs')
  expect(outputs).toBe('./dist/command-output.schema.json')
  expect(self).toBe('./package.json')
  for (const [name, conditions] of Object.entries(entries)) {
    const file = `./dist/${name === '.' ? '' : `${name.slice(2)}/`}index`
    expect(conditions, name).toEqual({
      import: { types: `${file}.d.ts`, default: `${file}.js` },
      require: { types: `${file}.d.cts`, default: `${file}.cjs` },
    })
  }
  expect(manifest.sideEffects).toBe(false)
})

test('what knows no exports finds the main entry', () => {
  const { '.': main } = manifest.exports
  expect(manifest).toMatchObject({ main: main.require.default, types: main.require.types })
})

test('two packages are installed, and the optional peers are no more than that', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['undici'])
  const peers = ['@opentelemetry/api', 'bullmq', 'ioredis', 'pg', 'redis']
  expect(Object.keys(manifest.peerDependencies)).toEqual(peers)
  expect(manifest.peerDependenciesMeta).toEqual(
    Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  )
})

test('the runtimes and compilers of npm run test:package have exact versions, from any registry', () => {
  for (const wanted of Object.values({ ...tools.dependencies, ...tools.optionalDependencies })) {
    expect(wanted).toMatch(/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/)
  }
  for (const [path, entry] of Object.entries(toolsLock.packages)) {
    expect(entry, path).not.toHaveProperty('resolved')
    if (path !== '') expect(entry, path).toHaveProperty('integrity')
  }
})

test('the package wants no Node newer than the oldest that is tried', () => {
  const [, oldest = ''] = /@(\d+\.\d+)/.exec(tools.optionalDependencies['node-20-linux-x64']) ?? []
  expect(manifest.engines.node).toBe(`>=${oldest}`)
  const readme = readFileSync(fileURLToPath(new URL('README.md', `file://${root}`)), 'utf8')
  expect(readme).toContain(`Node ${oldest} or newer`)
})
