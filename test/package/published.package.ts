import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import cli from '../../packages/cli/package.json' with { type: 'json' }
import sandbox from '../../packages/sandbox/package.json' with { type: 'json' }
import signer from '../../packages/signer/package.json' with { type: 'json' }
import { root } from '../support/root.js'
import { documents, unexpected } from './setup/contents.js'
import { filesBelow, sizeOf } from './setup/files.js'
import { run } from './setup/run.js'

const modules = join(inject('installedAlone'), 'node_modules')
const installed = join(modules, manifest.name)

/** The four packages, each with the name of its tarball. */
const packages = [
  ['tarball', manifest],
  ['sandboxTarball', sandbox],
  ['cliTarball', cli],
  ['signerTarball', signer],
] as const

test.each(packages)('publint finds nothing in the %s, not even a suggestion', async (name) => {
  const tarball = Uint8Array.from(await readFile(inject(name))).buffer
  const { messages, pkg = {} } = await publint({ strict: true, pack: { tarball } })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

test.each(packages)(
  'the types of the %s are right in every resolution, for import and for require',
  async (name, { exports }) => {
    const attw = join(import.meta.dirname, 'node_modules/.bin/attw')
    // Into a file: it exits without waiting for whoever reads from a pipe.
    const folder = await mkdtemp(join(tmpdir(), 'attw-'))
    const file = join(folder, 'report.json')
    // Not what is no code, such as the sandbox's openapi.yaml.
    const entries = Object.keys(exports).filter((entry) => !/\.yaml$/.test(entry))
    const command = [attw, inject(name), '--format', 'json', '--entrypoints', ...entries]
    const { code } = await run(['sh', '-c', 'exec "$@" > "$REPORT"', 'sh', ...command], {
      cwd: root,
      env: { REPORT: file },
      timeoutMs: 115_000,
    })
    const { analysis }: Report = JSON.parse(await readFile(file, 'utf8'))
    await rm(folder, { recursive: true })
    expect({ code, found: analysis.problems }).toEqual({ code: 0, found: [] })
    expect(Object.keys(analysis.entrypoints)).toEqual(entries)
    for (const { resolutions } of Object.values(analysis.entrypoints)) {
      expect(Object.keys(resolutions)).toEqual(['node10', 'node16-cjs', 'node16-esm', 'bundler'])
    }
  },
)

interface Report {
  readonly analysis: {
    readonly problems: readonly unknown[]
    readonly entrypoints: Readonly<Record<string, { readonly resolutions: object }>>
  }
}

test('npm installs two packages of at most 5.0 MB together, guides, examples and pictures among it', async () => {
  const lock: { packages: object } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages)).toEqual(['node_modules/merchant-gateway', 'node_modules/undici'])
  const sizes = await Promise.all((await filesBelow(modules)).map(sizeOf))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5_000_000)
})

test('what arrives is dist, documents, guides and examples', async () => {
  const files = (await filesBelow(installed)).map((file) => relative(installed, file))
  expect(unexpected(files)).toEqual([])
  expect(files).toEqual(expect.arrayContaining(documents))
})

test('npm puts each command where npx finds it', async () => {
  for (const { name, version, bin } of [cli, sandbox, signer]) {
    expect(Object.keys(bin), name).toHaveLength(1)
    const [command = ''] = Object.keys(bin)
    const { code, stdout, stderr } = await run(
      [join(inject('installed'), 'node_modules/.bin', command), '--version'],
      { cwd: modules },
    )
    expect({ code, stdout, stderr }, name).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  }
})
