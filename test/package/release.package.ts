import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support/root.js'
import { environmentOfNpm, run } from './setup/run.js'
import { nodes } from './setup/tools.js'

const below = ['packages/cli', 'packages/sandbox', 'packages/signer']
const manifests = ['package.json', ...below.map((folder) => `${folder}/package.json`)]

/** What a release reads and writes. */
const parts = [
  '.changeset',
  '.gitignore',
  '.npmrc',
  'CHANGELOG.md',
  ...manifests,
  'package-lock.json',
  'pnpm-workspace.yaml',
  'scripts/changelog.mjs',
  'scripts/release.mjs',
  'src/client/http/http.ts',
]

const [, , newer] = nodes
const place = mkdtempSync(join(tmpdir(), 'merchant-gateway-release-'))
afterAll(() => rmSync(place, { recursive: true }))

const inPlace = (...command: string[]) =>
  run(command, {
    cwd: place,
    env: {
      ...environmentOfNpm,
      // An npm that came with Node 20 is older than changesets asks for, and makes releases too.
      npm_config_engine_strict: 'false',
      // changesets wants Node 22 or newer.
      PATH: `${dirname(newer?.command[0] ?? '')}${delimiter}${process.env.PATH}`,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
    timeoutMs: 110_000,
  })
const read = (file: string) => readFileSync(join(place, file), 'utf8')
const json = (file: string) => JSON.parse(read(file))

describe('a release of two notes, on a copy', () => {
  beforeAll(async () => {
    for (const part of parts) {
      cpSync(join(root, part), join(place, part), {
        recursive: true,
        filter: (from) => !from.includes('node_modules') && !/\.changeset\/(?!README).*\.md$/.test(from),
      })
    }
    writeFileSync(
      join(place, '.changeset/one.md'),
      '---\nmerchant-gateway-sandbox: patch\n---\n\n### Fixed\n\n- What was wrong.\n',
    )
    writeFileSync(
      join(place, '.changeset/two.md'),
      '---\nmerchant-gateway: minor\n---\n\n### Added\n\n- A thing.\n',
    )
    for (const file of manifests) {
      const text = read(file)
        .replace(/"version": ".*"/, '"version": "1.2.3"')
        .replace(/"merchant-gateway": "\d.*"/, '"merchant-gateway": "1.2.3"')
      writeFileSync(join(place, file), text)
    }
    for (const command of [
      'git init --quiet --initial-branch main',
      'git add .',
      'git commit --quiet -m x',
    ]) {
      expect(await inPlace(...command.split(' '))).toMatchObject({ code: 0 })
    }
    expect(await inPlace('npm', 'run', '--silent', 'release')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('commit all of it as version 1.3.0 and tag it v1.3.0.'),
    })
  })

  test('gives the four packages one version, in manifests, lock and user agent', () => {
    const { version, packages } = json('package-lock.json')
    const versions = [
      ...manifests.map((file) => json(file).version),
      version,
      ...['', ...below].map((folder) => packages[folder].version),
      /^export const version = '(.*)'$/m.exec(read('src/client/http/http.ts'))?.[1],
    ]
    expect(new Set(versions)).toEqual(new Set(['1.3.0']))
  })

  test('ties the command and the signer to the client of the same version', () => {
    const { packages } = json('package-lock.json')
    for (const folder of ['packages/cli', 'packages/signer']) {
      const peers = { 'merchant-gateway': '1.3.0' }
      expect(json(`${folder}/package.json`).peerDependencies).toEqual(peers)
      expect(packages[folder].peerDependencies).toEqual(peers)
    }
  })

  test('writes one changelog, with the day, and uses the notes up', () => {
    const day = new Date().toISOString().slice(0, 10)
    expect(read('CHANGELOG.md')).toContain(
      `\n\n## [1.3.0] - ${day}\n\n### Added\n\n- A thing.\n\n### Fixed\n\n- What was wrong.\n\n## [`,
    )
    expect(below.filter((folder) => existsSync(join(place, folder, 'CHANGELOG.md')))).toEqual([])
    expect(readdirSync(join(place, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([
      'README.md',
    ])
  })

  test('changes nothing else, and leaves a lock that npm agrees with', async () => {
    const { stdout } = await inPlace('git', 'diff', '--numstat')
    const changed = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(changed).toEqual([
      ['0', '7', '.changeset/one.md'],
      ['0', '7', '.changeset/two.md'],
      ['10', '0', 'CHANGELOG.md'],
      ['7', '7', 'package-lock.json'],
      ['1', '1', 'package.json'],
      ['2', '2', 'packages/cli/package.json'],
      ['1', '1', 'packages/sandbox/package.json'],
      ['2', '2', 'packages/signer/package.json'],
      ['1', '1', 'src/client/http/http.ts'],
    ])
    expect(await inPlace('npm', 'ci', '--dry-run', '--ignore-scripts', '--silent')).toMatchObject({ code: 0 })
  })

  test('ends before it writes anything where there is no note', async () => {
    expect((await inPlace('git', 'commit', '--quiet', '--all', '-m', 'x')).code).toBe(0)
    const { code, stderr } = await inPlace('npm', 'run', '--silent', 'release')
    expect(code).not.toBe(0)
    expect(stderr).toContain('there is nothing to release')
    expect((await inPlace('git', 'status', '--short')).stdout).toBe('')
  })
})
